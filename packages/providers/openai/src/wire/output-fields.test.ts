import type { ModelSettings } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { outputFields } from './output-fields.ts'
import { quirkProfiles, type QuirkProfileName } from '../quirks/quirk-profiles.ts'

const convert = (
  output: ModelSettings['output'],
  { profile = 'openai' as QuirkProfileName, api = 'chat' as 'chat' | 'responses' } = {},
): unknown => outputFields(output, { provider: profile, model: 'm', quirks: quirkProfiles[profile], api })

const schema = { type: 'object', properties: { a: { type: 'string' } } }
const closed = {
  type: 'object',
  properties: { a: { type: ['string', 'null'] } },
  required: ['a'],
  additionalProperties: false,
}

describe('outputFields', () => {
  it('outputFields requests free JSON', () => {
    expect(convert(undefined)).toEqual({})
    expect(convert('json')).toEqual({ response_format: { type: 'json_object' } })
    expect(convert('json', { api: 'responses' })).toEqual({ text: { format: { type: 'json_object' } } })
  })

  it('outputFields requests a schema in its strict form', () => {
    const format = { name: 'x', strict: true, schema: closed }
    expect(convert({ name: 'x', schema })).toEqual({ response_format: { type: 'json_schema', json_schema: format } })
    expect(convert({ name: 'x', schema }, { api: 'responses' })).toEqual({
      text: { format: { type: 'json_schema', ...format } },
    })
  })

  it('outputFields sends a schema without a strict form unchanged and not strict', () => {
    const free = { type: 'object', additionalProperties: { type: 'number' } }
    expect(convert({ name: 'x', schema: free })).toMatchObject({
      response_format: { json_schema: { strict: false, schema: free } },
    })
    expect(convert({ name: 'x', schema, strict: false })).toMatchObject({
      response_format: { json_schema: { strict: false, schema } },
    })
  })

  it('outputFields does not change schemas for servers that accept any', () => {
    expect(convert({ name: 'x', schema }, { profile: 'vllm' })).toMatchObject({
      response_format: { json_schema: { strict: true, schema } },
    })
  })

  it('outputFields rejects formats that the server does not support', () => {
    const unsupported = expect.objectContaining({ code: 'model-unsupported' }) as Error
    expect(() => convert({ name: 'x', schema }, { profile: 'deepseek' })).toThrow(unsupported)
    expect(() => convert('json', { profile: 'lmstudio' })).toThrow(unsupported)
  })
})
