import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryOf } from './__fixtures__/arbitrary-of.ts'
import { assistantPartSchema } from './content.ts'
import { entrySchema } from './entry-schema.ts'
import { errorInfoSchema } from './error-info-schema.ts'
import { jsonSchema } from './json.ts'
import { messageSchema } from './message.ts'
import { outcomeSchema } from './outcome.ts'
import { runCommandSchema } from './run-command.ts'
import { costSchema, usageSchema } from './usage.ts'

const schemas = {
  entrySchema,
  errorInfoSchema,
  messageSchema,
  assistantPartSchema,
  outcomeSchema,
  usageSchema,
  costSchema,
  jsonSchema,
  runCommandSchema,
}

describe('a round trip through JSON', () => {
  it.each(Object.entries(schemas))('every value that %s accepts survives a round trip through JSON', (_, schema) => {
    fc.assert(
      fc.property(arbitraryOf(schema), value => {
        expect(schema.parse(JSON.parse(JSON.stringify(value)))).toEqual(value)
      }),
      { numRuns: 300 },
    )
  })

  it('jsonSchema keeps a key named __proto__ as an ordinary member', () => {
    const text = '{"a":{"__proto__":{"admin":true},"constructor":1}}'
    const value = jsonSchema.parse(JSON.parse(text)) as { a: object }
    expect(JSON.stringify(value)).toBe(text)
    expect('admin' in value.a).toBe(false)
  })

  it.each([undefined, Number.NaN, () => 1, 1n, [undefined], { a: Symbol('s') }])(
    'jsonSchema rejects %s, because it is not a JSON value',
    value => {
      expect(jsonSchema.safeParse(value).success).toBe(false)
    },
  )
})
