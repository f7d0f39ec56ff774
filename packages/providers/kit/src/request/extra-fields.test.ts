import { expect, it } from 'vitest'
import { extraFields } from './extra-fields.ts'

const request = (fields: Record<string, number>) => ({
  system: [],
  messages: [],
  tools: [],
  settings: { providerOptions: { acme: fields } },
})

it('gives the fields meant for a provider, and refuses those the request decides', () => {
  expect(extraFields(request({ top_k: 1 }), 'acme', ['model'])).toEqual({ top_k: 1 })
  expect(extraFields(request({ top_k: 1 }), 'other', ['model'])).toEqual({})
  expect(() => extraFields(request({ model: 1 }), 'acme', ['model'])).toThrow('settings.providerOptions.acme.model')
})
