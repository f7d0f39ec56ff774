import { Ajv as AjvDraft7 } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import type { ValidationIssue } from '../schema/error-info.ts'
import { describe, expect, it } from 'vitest'
import { compileJsonSchema, runCheck } from './compile-json-schema.ts'

const scalarSchema = fc.constantFrom<object>(
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
  { uniqueItems: true },
  { $ref: '#/$defs/text' },
  { $ref: '#/$defs/tree' },
)
const $defs = {
  text: { type: 'string', maxLength: 3 },
  tree: {
    type: ['array', 'object', 'number'],
    items: { $ref: '#/$defs/tree' },
    properties: { a: { $ref: '#/$defs/tree' } },
  },
}
type SchemaArbitrary = fc.Arbitrary<object | boolean>

/** Schemas of one keyword or a few that belong together, over inner schemas. */
function keywordsOver(inner: SchemaArbitrary): fc.Arbitrary<object> {
  const list = fc.array(inner, { minLength: 1, maxLength: 2 })
  const map = fc.dictionary(fc.constantFrom('a', 'b'), inner)
  return fc.oneof(
    fc.record({ type: fc.constant('array'), items: inner, minItems: fc.constantFrom(0, 1), uniqueItems: fc.boolean() }),
    fc.record({
      type: fc.constant('object'),
      properties: map,
      required: fc.subarray(['a', 'b']),
      additionalProperties: inner,
      maxProperties: fc.constantFrom(2, 3),
    }),
    list.map(anyOf => ({ anyOf })),
    list.map(oneOf => ({ oneOf })),
    list.map(allOf => ({ allOf })),
    inner.map(not => ({ not })),
    fc.record({ if: inner, then: inner, else: inner }),
    fc.record({ contains: inner }),
    fc.record({ patternProperties: fc.dictionary(fc.constantFrom('^a', 'b'), inner), additionalProperties: inner }),
    fc.record({ propertyNames: inner }),
  )
}

/** Keywords that only 2020-12 has, except `unevaluated…`: ajv decides these when it compiles, which is not exact. */
function modernOver(inner: SchemaArbitrary): fc.Arbitrary<object> {
  return fc.oneof(
    fc.record({ prefixItems: fc.array(inner, { minLength: 1, maxLength: 2 }), items: inner }),
    fc.record({ contains: inner, minContains: fc.constantFrom(0, 1, 2), maxContains: fc.constantFrom(2, 3) }),
    fc.record({ dependentSchemas: fc.dictionary(fc.constantFrom('a', 'b'), inner) }),
    fc.constantFrom({ dependentRequired: { a: ['b'] } }),
  )
}

/** Keywords that only draft-07 has. */
function olderOver(inner: SchemaArbitrary): fc.Arbitrary<object> {
  return fc.oneof(
    fc.record({ items: fc.array(inner, { minLength: 1, maxLength: 2 }), additionalItems: inner }),
    fc.record({ dependencies: fc.dictionary(fc.constantFrom('a', 'b'), fc.oneof(inner, fc.constant(['b']))) }),
  )
}

function schemasWith(own: (inner: SchemaArbitrary) => fc.Arbitrary<object>): fc.Arbitrary<object> {
  const { schema } = fc.letrec<{ schema: object | boolean }>(tie => ({
    schema: fc.oneof({ maxDepth: 4 }, scalarSchema, fc.boolean(), keywordsOver(tie('schema')), own(tie('schema'))),
  }))
  return schema.map(root => (typeof root === 'boolean' ? { $defs } : { ...root, $defs }))
}

const { value } = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('', 'a', 'aaa', 'aaaa', 'b', '😀😀😀', 0, 1, 2, 3.5, 10, -2, true, false, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'k'), tie('value'), { maxKeys: 3 }),
  ),
}))

function validate(given: unknown, input: unknown): readonly ValidationIssue[] {
  return runCheck(compileJsonSchema(given), input) ?? []
}

// An instance compiles the schema of its draft once.
const modernOracle = new Ajv2020({ strict: false, logger: false })
const olderOracle = new AjvDraft7({ strict: false, logger: false })

describe('compileJsonSchema', () => {
  it('compileJsonSchema decides as ajv does for draft 2020-12', () => {
    fc.assert(
      fc.property(schemasWith(modernOver), value, (given, input) => {
        expect(validate(given, input).length === 0).toBe(modernOracle.validate(given, input))
      }),
      { numRuns: 300 },
    )
  })

  it('compileJsonSchema decides as ajv does for draft-07', () => {
    fc.assert(
      fc.property(schemasWith(olderOver), value, (root, input) => {
        const given = { ...root, $schema: 'http://json-schema.org/draft-07/schema#' }
        expect(validate(given, input).length === 0).toBe(olderOracle.validate(given, input))
      }),
      { numRuns: 300 },
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
