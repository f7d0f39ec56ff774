import { expect, it } from 'vitest'
import { extraFields } from './extra-fields.ts'

const request = (fields: Record<string, number>) => ({
  system: [],
  messages: [],
  tools: [],
  settings: { providerOptions: { acme: fields } },
})

it('extraFields returns the fields for a provider, and rejects fields that the request sets', () => {
  expect(extraFields(request({ top_k: 1 }), 'acme', ['model'])).toEqual({ top_k: 1 })
  expect(extraFields(request({ top_k: 1 }), 'other', ['model'])).toEqual({})
  expect(() => extraFields(request({ model: 1 }), 'acme', ['model'])).toThrow('settings.providerOptions.acme.model')
})
