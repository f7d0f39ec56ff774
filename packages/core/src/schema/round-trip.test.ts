import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryOf } from './__fixtures__/arbitrary-of.ts'
import {
  assistantPartSchema,
  costSchema,
  entrySchema,
  errorInfoSchema,
  jsonSchema,
  messageSchema,
  outcomeSchema,
  usageSchema,
} from './index.ts'

const schemas = {
  entrySchema,
  errorInfoSchema,
  messageSchema,
  assistantPartSchema,
  outcomeSchema,
  usageSchema,
  costSchema,
  jsonSchema,
}

describe('a round trip through JSON', () => {
  it.each(Object.entries(schemas))('loses nothing that %s accepts', (_, schema) => {
    fc.assert(
      fc.property(arbitraryOf(schema), value => {
        expect(schema.parse(JSON.parse(JSON.stringify(value)))).toEqual(value)
      }),
      { numRuns: 300 },
    )
  })

  it('leaves out a key named __proto__, which could only change how the object behaves', () => {
    const value: unknown = JSON.parse('{"a":{"__proto__":{"admin":true},"constructor":1}}')
    expect(JSON.stringify(jsonSchema.parse(value))).toBe('{"a":{"constructor":1}}')
  })
})
