import { describe, expect, it } from 'vitest'
import { createRefuse } from '@parley/provider-kit'
import { toOutputSchema } from './to-output-schema.ts'

const convert = (schema: Record<string, unknown>): unknown =>
  toOutputSchema(schema, createRefuse({ provider: 'anthropic', model: 'm' }))

describe('toOutputSchema', () => {
  it('toOutputSchema closes objects at every depth and keeps optional properties optional', () => {
    const inner = { type: 'object', properties: { a: { type: 'string' } } }
    const closed = { ...inner, additionalProperties: false }
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: ['object', 'null'],
      required: ['x'],
      properties: { x: inner, list: { type: 'array', items: inner }, either: { oneOf: [inner, { type: 'null' }] } },
      $defs: { d: inner },
    }
    expect(convert(schema)).toEqual({
      type: ['object', 'null'],
      required: ['x'],
      properties: {
        x: closed,
        list: { type: 'array', items: closed },
        either: { anyOf: [closed, { type: 'null' }] },
      },
      $defs: { d: closed },
      additionalProperties: false,
    })
  })

  it('toOutputSchema writes bounds into descriptions, because the API rejects the keywords', () => {
    const number = { type: 'integer', minimum: 1, maximum: 5, description: 'How many.' }
    expect(convert({ type: 'object', properties: { number, name: { type: 'string', pattern: '^a' } } })).toEqual({
      type: 'object',
      additionalProperties: false,
      properties: {
        number: { type: 'integer', description: 'How many. (minimum: 1, maximum: 5)' },
        name: { type: 'string', description: '(pattern: "^a")' },
      },
    })
  })

  it('toOutputSchema does not treat the name of a property as a keyword', () => {
    const properties = { pattern: { type: 'string' }, not: { type: 'string' }, minimum: { type: 'number' } }
    expect(convert({ type: 'object', properties })).toEqual({ type: 'object', properties, additionalProperties: false })
  })

  it.each([
    { type: 'object' },
    { type: 'object', additionalProperties: { type: 'number' } },
    { type: 'object', properties: { a: { type: 'object', additionalProperties: true } } },
    { not: { type: 'string' } },
    { type: 'object', patternProperties: { a: {} }, properties: { b: {} } },
  ])('toOutputSchema rejects %j, which has no replacement', schema => {
    expect(() => convert(schema)).toThrow(expect.objectContaining({ code: 'model-unsupported' }))
  })
})
