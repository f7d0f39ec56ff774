import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { StandardSchema } from './standard-schema.ts'
import { toJsonSchema } from './to-json-schema.ts'

describe('toJsonSchema', () => {
  it('toJsonSchema returns the schema of the input, not of the output', () => {
    const schema = z.object({ query: z.string().describe('What to look for.'), limit: z.number().default(3) })
    expect(toJsonSchema(schema)).toEqual({
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What to look for.' },
        limit: { type: 'number', default: 3 },
      },
      required: ['query'],
    })
  })

  it('toJsonSchema returns a JSON Schema unchanged', () => {
    const schema = { type: 'object', $schema: 'https://json-schema.org/draft/2020-12/schema' }
    expect(toJsonSchema(schema)).toBe(schema)
  })

  it('toJsonSchema returns the reason if the library has no JSON Schema', () => {
    const schema: StandardSchema = { '~standard': { version: 1, vendor: 'plain', validate: value => ({ value }) } }
    expect(toJsonSchema(schema)).toBe(`plain schemas have no JSON Schema. Set 'jsonSchema' too.`)
  })

  it('toJsonSchema returns the reason if the library cannot convert the schema', () => {
    expect(toJsonSchema(z.object({ at: z.date() }))).toMatch(/^zod cannot convert the schema to JSON Schema: .*[Dd]ate/)
  })
})
