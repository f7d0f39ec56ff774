import { Validator, type Schema as OracleSchema } from '@cfworker/json-schema'
import fc from 'fast-check'
import type { ValidationIssue } from '../schema/error-info.ts'
import { describe, expect, it } from 'vitest'
import { compileJsonSchema } from './compile-json-schema.ts'

const scalarSchema = fc.oneof(
  fc.constantFrom(
    {},
    { type: 'string' },
    { type: 'integer' },
    { type: ['number', 'null'] },
    { type: 'boolean' },
    { enum: ['a', 1, null, { k: [1] }] },
    { const: 'a' },
    { minLength: 1, maxLength: 3 },
    { pattern: '^a+$' },
    { minimum: 0, exclusiveMaximum: 10 },
    { multipleOf: 2 },
  ),
)
const { schema } = fc.letrec<{ schema: object }>(tie => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    scalarSchema,
    fc.record({
      type: fc.constant('array'),
      items: tie('schema'),
      minItems: fc.constantFrom(0, 1),
      uniqueItems: fc.boolean(),
    }),
    fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema')),
      required: fc.subarray(['a', 'b']),
      additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
      maxProperties: fc.constantFrom(2, 3),
    }),
    fc.array(tie('schema'), { minLength: 1, maxLength: 2 }).map(anyOf => ({ anyOf })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 2 }).map(oneOf => ({ oneOf })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 2 }).map(allOf => ({ allOf })),
    tie('schema').map(not => ({ not })),
  ),
}))
const { value } = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('', 'a', 'aaa', 'aaaa', 'b', '😀😀😀', 0, 1, 2, 3.5, 10, -2, true, false, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'k'), tie('value'), { maxKeys: 3 }),
  ),
}))

function validate(given: unknown, input: unknown): readonly ValidationIssue[] {
  const issues: ValidationIssue[] = []
  compileJsonSchema(given)?.(input, '', issues)
  return issues
}

describe('compileJsonSchema', () => {
  it('compileJsonSchema accepts and rejects the same values as a full validator', () => {
    fc.assert(
      fc.property(schema, value, (given, input) => {
        const check = compileJsonSchema(given)
        const oracle = new Validator(given as OracleSchema, '2020-12').validate(input).valid
        expect(check?.(input, '', [])).toBe(oracle)
      }),
      { numRuns: 2_000 },
    )
  })

  it('compileJsonSchema reports issues exactly if it rejects a value', () => {
    fc.assert(
      fc.property(schema, value, (given, input) => {
        const issues: ValidationIssue[] = []
        const ok = compileJsonSchema(given)?.(input, '', issues)
        expect(issues.length === 0).toBe(ok)
      }),
    )
  })

  it('compileJsonSchema reports the path of every issue', () => {
    const given = {
      type: 'object',
      properties: { a: { type: 'integer' }, list: { type: 'array', items: { type: 'string' } } },
      required: ['a', 'b'],
      additionalProperties: false,
    }
    expect(validate(given, { a: 'x', list: ['ok', 1, 2], 'odd/key': 1 })).toEqual([
      { path: '/b', message: 'is missing' },
      { path: '/a', message: 'must be integer, not string' },
      { path: '/list/1', message: 'must be string, not number' },
      { path: '/list/2', message: 'must be string, not number' },
      { path: '/odd~1key', message: 'is not allowed (allowed: a, list)' },
    ])
  })

  it('compileJsonSchema returns undefined for a schema with other keywords', () => {
    expect(compileJsonSchema({ $ref: '#/$defs/a', $defs: { a: {} } })).toBeUndefined()
    expect(compileJsonSchema({ type: 'object', properties: { a: { if: {}, then: false } } })).toBeUndefined()
  })

  it.each([
    [42, 'schema: must be an object or a boolean'],
    [{ type: 'objekt' }, '/type: "objekt" is an unknown type'],
    [{ properties: { a: 1 } }, '/properties/a: must be an object or a boolean'],
    [{ required: 'a' }, '/required: must be an array of names'],
    [{ pattern: '(' }, '/pattern: ( is an invalid regular expression'],
    [{ anyOf: [] }, '/anyOf: must be a non-empty array'],
    [{ minimum: '3' }, '/minimum: must be a number'],
  ])('compileJsonSchema rejects the invalid schema %j', (given, message) => {
    expect(() => compileJsonSchema(given)).toThrow(message)
  })
})
