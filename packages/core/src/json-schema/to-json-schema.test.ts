import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { StandardSchema } from './standard-schema.ts'
import { toJsonSchema } from './to-json-schema.ts'

describe('toJsonSchema', () => {
  it('gives the schema of what goes in, not of what comes out', () => {
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

  it('hands a JSON Schema on as it is', () => {
    const schema = { type: 'object', $schema: 'https://json-schema.org/draft/2020-12/schema' }
    expect(toJsonSchema(schema)).toBe(schema)
  })

  it('says so when the library gives no JSON Schema', () => {
    const schema: StandardSchema = { '~standard': { version: 1, vendor: 'plain', validate: value => ({ value }) } }
    expect(toJsonSchema(schema)).toBe(`plain schemas carry no JSON Schema. Give a 'jsonSchema' beside it.`)
  })

  it('says why when the library cannot express the schema', () => {
    expect(toJsonSchema(z.object({ at: z.date() }))).toMatch(/^zod cannot express it as JSON Schema: .*[Dd]ate/)
  })
})
