import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toStrictSchema } from './to-strict-schema.ts'

type Fields = Record<string, unknown>

const object = (properties: Fields, more: Fields = {}): Fields => ({ type: 'object', properties, ...more })

describe('toStrictSchema', () => {
  it('toStrictSchema closes objects and requires every property, at every depth', () => {
    const schema = object({ a: object({ b: { type: 'string' } }, { required: ['b'] }) }, { required: ['a'] })
    expect(toStrictSchema(schema)).toEqual({
      type: 'object',
      required: ['a'],
      additionalProperties: false,
      properties: {
        a: {
          type: 'object',
          required: ['b'],
          additionalProperties: false,
          properties: { b: { type: 'string' } },
        },
      },
    })
  })

  it.each([
    [{ type: 'string' }, { type: ['string', 'null'] }],
    [{ type: ['string', 'number'] }, { type: ['string', 'number', 'null'] }],
    [{ type: ['string', 'null'] }, { type: ['string', 'null'] }],
    [{ type: 'string', enum: ['x'] }, { anyOf: [{ type: 'string', enum: ['x'] }, { type: 'null' }] }],
    [{ const: 1 }, { anyOf: [{ const: 1 }, { type: 'null' }] }],
    [{ $ref: '#/$defs/x', description: 'd' }, { anyOf: [{ $ref: '#/$defs/x' }, { type: 'null' }] }],
    [{ oneOf: [{ type: 'string' }] }, { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    [{ type: 'string', default: 'x' }, { type: ['string', 'null'] }],
  ])('toStrictSchema lets an optional property be null: %j', (property, expected) => {
    expect(toStrictSchema(object({ p: property }))).toMatchObject({ required: ['p'], properties: { p: expected } })
  })

  it('toStrictSchema keeps required properties unchanged and drops defaults', () => {
    const schema = object({ p: { type: 'integer', minimum: 1, default: 3 } }, { required: ['p'] })
    expect(toStrictSchema(schema)).toMatchObject({ properties: { p: { type: 'integer', minimum: 1 } } })
    expect(JSON.stringify(toStrictSchema(schema))).not.toContain('default')
  })

  it('toStrictSchema converts lists, unions and definitions', () => {
    const inner = object({ x: { type: 'null' } }, { required: ['x'] })
    const closed = { ...inner, additionalProperties: false }
    const schema = object(
      { list: { type: 'array', items: inner }, either: { anyOf: [inner, { type: 'string' }] } },
      { required: ['list', 'either'], $defs: { d: inner } },
    )
    expect(toStrictSchema(schema)).toMatchObject({
      properties: { list: { items: closed }, either: { anyOf: [closed, { type: 'string' }] } },
      $defs: { d: closed },
    })
  })

  it.each<[string, Fields]>([
    ['a root that is no object', { type: 'array', items: { type: 'string' } }],
    ['a union at the root', object({}, { anyOf: [] })],
    ['free keys', object({ p: { type: 'object', additionalProperties: { type: 'number' } } })],
    ['an object of which nothing is said', object({ p: { type: 'object' } })],
    ['an open object', object({ p: { type: 'string' } }, { additionalProperties: true })],
    ['any value', object({ p: {} })],
    ['a list of anything', object({ p: { type: 'array' } })],
    ['allOf', object({ p: { allOf: [{ type: 'string' }] } })],
    ['a length', object({ p: { type: 'string', maxLength: 3 } })],
    ['a boolean schema', object({ p: true })],
  ])('toStrictSchema returns undefined for %s', (_, schema) => {
    expect(toStrictSchema(schema)).toBeUndefined()
  })

  it('toStrictSchema returns undefined for a schema that is too deep or too large', () => {
    let deep: Fields = { type: 'string' }
    for (let i = 0; i < 11; i++) deep = object({ p: deep })
    expect(toStrictSchema(deep)).toBeUndefined()
    const wide = Object.fromEntries(Array.from({ length: 5001 }, (_, i) => [`p${i}`, { type: 'string' }]))
    expect(toStrictSchema(object(wide))).toBeUndefined()
  })

  it('toStrictSchema returns only strict schemas, for any schema', () => {
    const { schema } = fc.letrec(tie => ({
      schema: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<Fields>({ type: 'string' }, { enum: [1] }, {}, { $ref: '#', title: 't' }),
        fc.record({ type: fc.constant('array'), items: tie('schema') }, { requiredKeys: ['type'] }),
        fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
        fc.record(
          {
            type: fc.constant('object'),
            properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema')),
            required: fc.constantFrom<string[]>([], ['a']),
            additionalProperties: fc.constantFrom(true, false, {}),
          },
          { requiredKeys: ['type'] },
        ),
      ),
    }))
    fc.assert(
      fc.property(schema, given => {
        const made = toStrictSchema(given as Fields)
        if (made !== undefined) expectStrict(made)
      }),
    )
  })
})

function expectStrict(schema: Fields): void {
  expect(schema).not.toHaveProperty('oneOf')
  if (schema['$ref'] !== undefined) expect(Object.keys(schema)).toEqual(['$ref'])
  const properties = (schema['properties'] ?? {}) as Record<string, Fields>
  if (schema['type'] === 'object' || schema['properties'] !== undefined) {
    expect(schema['additionalProperties']).toBe(false)
    expect(schema['required']).toEqual(Object.keys(properties))
  }
  for (const inner of Object.values(properties)) expectStrict(inner)
  if (schema['items'] !== undefined) expectStrict(schema['items'] as Fields)
  for (const branch of (schema['anyOf'] ?? []) as Fields[]) expectStrict(branch)
}
