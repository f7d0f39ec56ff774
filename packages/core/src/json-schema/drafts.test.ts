import { describe, expect, it } from 'vitest'
import { compileJsonSchema, runCheck, type CompileOptions } from './compile-json-schema.ts'

interface Case {
  readonly schema: unknown
  readonly valid: readonly unknown[]
  readonly invalid: readonly unknown[]
  readonly documents?: CompileOptions['documents']
}

const DRAFT_4 = 'http://json-schema.org/draft-04/schema#'
const DRAFT_7 = 'http://json-schema.org/draft-07/schema#'
const DRAFT_2019 = 'https://json-schema.org/draft/2019-09/schema'
const DRAFT_2020 = 'https://json-schema.org/draft/2020-12/schema'

const list = {
  $id: 'list',
  type: 'array',
  items: { $dynamicRef: '#item' },
  $defs: { any: { $dynamicAnchor: 'item' } },
}

const CASES: Readonly<Record<string, Case>> = {
  'an array of items in a schema without $schema': {
    schema: { items: [{ type: 'string' }, { type: 'number' }], additionalItems: false },
    valid: [['a', 1], ['a'], []],
    invalid: [[1], ['a', 1, 2]],
  },
  'the schema true': { schema: true, valid: [1, null, {}], invalid: [] },
  'the schema false': { schema: false, valid: [], invalid: [1, null, {}] },
  'a document without $schema, which has the draft of the schema that refers to it': {
    schema: { $schema: DRAFT_7, $ref: 'http://x/doc.json#/definitions/whole' },
    documents: {
      'http://x/doc.json': { definitions: { whole: { $ref: '#int' }, int: { $id: '#int', type: 'integer' } } },
    },
    valid: [1],
    invalid: ['1'],
  },
  'the metaschema of draft 2020-12, which limits the names of schemas': {
    schema: { $schema: DRAFT_2020, $ref: DRAFT_2020 },
    valid: [{ $id: 'a' }, { $anchor: 'a-1' }],
    invalid: [{ $id: 'a#b' }, { $anchor: '#a' }, { $anchor: '/a' }],
  },
  'boolean exclusive bounds': {
    schema: { minimum: 1, exclusiveMinimum: true, maximum: 3, exclusiveMaximum: false },
    valid: [2, 3],
    invalid: [1, 4],
  },
  'keywords that are null': {
    schema: {
      type: 'object',
      required: null,
      properties: { a: { enum: null, pattern: null } },
      additionalProperties: null,
    },
    valid: [{}, { a: 1, b: 2 }],
    invalid: [1],
  },
  'required: true, as draft-03 writes it': {
    schema: { properties: { a: { type: 'string', required: true } } },
    valid: [{}],
    invalid: [{ a: 1 }],
  },
  'id and definitions of draft-04': {
    schema: {
      $schema: DRAFT_4,
      id: 'http://x.test/root',
      properties: { a: { $ref: 'part' } },
      definitions: { b: { id: 'part', type: 'string' } },
    },
    valid: [{ a: 'x' }],
    invalid: [{ a: 1 }],
  },
  '$ref of draft-07, which hides the keywords beside it': {
    schema: {
      $schema: DRAFT_7,
      properties: { a: { $ref: '#/definitions/s', maxLength: 1 } },
      definitions: { s: { type: 'string' } },
    },
    valid: [{ a: 'long' }],
    invalid: [{ a: 1 }],
  },
  '$ref of 2020-12, which applies with the keywords beside it': {
    schema: { properties: { a: { $ref: '#/$defs/s', maxLength: 1 } }, $defs: { s: { type: 'string' } } },
    valid: [{ a: 'x' }],
    invalid: [{ a: 1 }, { a: 'long' }],
  },
  'anchors of draft-07 in $id': {
    schema: {
      $schema: DRAFT_7,
      allOf: [{ $ref: '#n' }, { $ref: 'http://x.test/y#m' }],
      definitions: { a: { $id: '#n', type: 'integer' }, b: { $id: 'http://x.test/y#m', minimum: 2 } },
    },
    valid: [3],
    invalid: [1, 'a'],
  },
  'a part with another dialect': {
    schema: {
      $ref: '#/$defs/old',
      $defs: { old: { $id: 'http://x.test/old', $schema: DRAFT_7, items: [true, false] } },
    },
    valid: [[1]],
    invalid: [[1, 2]],
  },
  'pointers with escapes': {
    schema: {
      properties: {
        a: { $ref: '#/$defs/tilde~0~1slash' },
        b: { $ref: '#/$defs/per%25cent' },
        c: { $ref: '#/$defs/q%22' },
      },
      $defs: { 'tilde~/slash': { type: 'integer' }, 'per%cent': { type: 'integer' }, 'q"': { type: 'integer' } },
    },
    valid: [{ a: 1, b: 1, c: 1 }],
    invalid: [{ a: 'x' }, { b: 'x' }, { c: 'x' }],
  },
  'a reference to what an unknown keyword contains': {
    schema: { $ref: '#/other/0', other: [{ type: 'string' }] },
    valid: ['a'],
    invalid: [1],
  },
  'a recursive schema': {
    schema: { properties: { next: { $ref: '#' } }, additionalProperties: false },
    valid: [{ next: { next: {} } }],
    invalid: [{ next: { other: 1 } }],
  },
  'nested URIs, and a URN': {
    schema: {
      $id: 'urn:uuid:deadbeef-1234-ffff-ffff-4321feebdaed',
      properties: {
        a: { $ref: 'urn:uuid:deadbeef-1234-ffff-ffff-4321feebdaed#here' },
        b: { $ref: 'http://x.test/dir/leaf' },
      },
      $defs: {
        bar: { $anchor: 'here', type: 'string' },
        dir: { $id: 'http://x.test/dir/', $defs: { leaf: { $id: 'leaf', type: 'number' } } },
      },
    },
    valid: [{ a: 'x', b: 1 }],
    invalid: [{ a: 1 }, { b: 'x' }],
  },
  'an $id inside an enum, which is not a URI': {
    schema: {
      $ref: 'http://x.test/real',
      $defs: {
        e: { enum: [{ $id: 'http://x.test/real', type: 'null' }] },
        r: { $id: 'http://x.test/real', type: 'string' },
      },
    },
    valid: ['a'],
    invalid: [null],
  },
  'registered documents': {
    schema: {
      $id: 'http://x.test/root.json',
      properties: { a: { $ref: 'integer.json' }, b: { $ref: 'defs.json#/$defs/s' } },
    },
    documents: {
      'http://x.test/integer.json': { type: 'integer' },
      'http://x.test/defs.json': { $defs: { s: { $ref: '#t' }, t: { $anchor: 't', type: 'string' } } },
    },
    valid: [{ a: 1, b: 'x' }],
    invalid: [{ a: 'x' }, { b: 1 }],
  },
  'a metaschema without the validation vocabulary': {
    schema: { $schema: 'http://x.test/meta', properties: { no: false, n: { minimum: 5 } } },
    documents: {
      'http://x.test/meta': {
        $schema: DRAFT_2020,
        $vocabulary: { 'https://json-schema.org/draft/2020-12/vocab/applicator': true },
      },
    },
    valid: [{ n: 1 }],
    invalid: [{ no: 1 }],
  },
  'a reference to the metaschema': {
    schema: { $ref: DRAFT_2020 },
    valid: [{ minLength: 1, $ref: '#/elsewhere' }, true],
    invalid: [{ minLength: -1 }, { $defs: { a: { type: 1 } } }, 1],
  },
  'a dynamic reference to the anchor of the schema that was entered first': {
    schema: {
      $id: 'http://x.test/root',
      $ref: 'list',
      $defs: { mine: { $dynamicAnchor: 'item', type: 'string' }, list },
    },
    valid: [['a']],
    invalid: [['a', 1]],
  },
  'a dynamic reference through a schema without the anchor': {
    schema: {
      $id: 'http://x.test/root',
      $ref: 'middle',
      $defs: { mine: { $dynamicAnchor: 'item', type: 'string' }, middle: { $id: 'middle', $ref: 'list' }, list },
    },
    valid: [['a']],
    invalid: [[1]],
  },
  'a dynamic reference while the outer anchor is an ordinary one': {
    schema: { $id: 'http://x.test/root', $ref: 'list', $defs: { mine: { $anchor: 'item', type: 'string' }, list } },
    valid: [['a', 1]],
    invalid: [1],
  },
  'a dynamic reference by two ways': {
    schema: {
      $id: 'http://x.test/root',
      if: { maxItems: 1 },
      then: { $ref: 'texts' },
      else: { $ref: 'numbers' },
      $defs: {
        texts: { $id: 'texts', $ref: 'list', $defs: { a: { $dynamicAnchor: 'item', type: 'string' } } },
        numbers: { $id: 'numbers', $ref: 'list', $defs: { a: { $dynamicAnchor: 'item', type: 'number' } } },
        list,
      },
    },
    valid: [['a'], [1, 2]],
    invalid: [[1], ['a', 'b']],
  },
  'a recursive reference of 2019-09': {
    schema: {
      $schema: DRAFT_2019,
      $id: 'http://x.test/strict',
      $recursiveAnchor: true,
      $ref: 'tree',
      unevaluatedProperties: false,
      $defs: { tree: { $id: 'tree', $recursiveAnchor: true, properties: { child: { $recursiveRef: '#' } } } },
    },
    valid: [{ child: { child: {} } }],
    invalid: [{ child: { other: 1 } }],
  },
  'unevaluatedProperties after in-place schemas': {
    schema: {
      properties: { a: true },
      allOf: [{ properties: { b: true } }],
      anyOf: [
        { properties: { c: { const: 1 } }, required: ['c'] },
        { properties: { d: { const: 1 } }, required: ['d'] },
      ],
      if: { required: ['e'], properties: { e: true } },
      then: { properties: { f: true } },
      patternProperties: { '^x': true },
      $ref: '#/$defs/g',
      $defs: { g: { properties: { g: true } } },
      unevaluatedProperties: false,
    },
    valid: [
      { a: 1, b: 1, c: 1, g: 1, xy: 1 },
      { c: 1, d: 1 },
      { d: 1, e: 1, f: 1 },
    ],
    invalid: [
      { c: 1, d: 2 },
      { c: 1, f: 1 },
      { c: 1, z: 1 },
    ],
  },
  'unevaluatedProperties, which does not see its siblings': {
    schema: { allOf: [{ properties: { a: true } }, { unevaluatedProperties: false }] },
    valid: [{}],
    invalid: [{ a: 1 }],
  },
  'unevaluatedProperties after an inner unevaluatedProperties': {
    schema: { allOf: [{ properties: { a: true }, unevaluatedProperties: true }], unevaluatedProperties: false },
    valid: [{ a: 1, b: 1 }],
    invalid: [],
  },
  'unevaluatedProperties after not, which looks at nothing': {
    schema: { not: { not: { properties: { a: { const: 1 } }, required: ['a'] } }, unevaluatedProperties: false },
    valid: [],
    invalid: [{ a: 1 }],
  },
  'unevaluatedProperties after dependentSchemas': {
    schema: {
      properties: { a: true },
      dependentSchemas: { a: { properties: { b: true } } },
      unevaluatedProperties: { type: 'string' },
    },
    valid: [{ a: 1, b: 1 }, { b: 'x' }],
    invalid: [{ b: 1 }],
  },
  'unevaluatedItems after prefixItems and contains': {
    schema: { prefixItems: [{ type: 'string' }], contains: { type: 'number' }, unevaluatedItems: false },
    valid: [['a', 1, 2]],
    invalid: [['a', 1, 'b']],
  },
  'unevaluatedItems of 2019-09, in which contains looks at nothing': {
    schema: { $schema: DRAFT_2019, items: [{ type: 'string' }], contains: { type: 'number' }, unevaluatedItems: false },
    valid: [],
    invalid: [['a', 1]],
  },
  'minContains of 0': {
    schema: { contains: { const: 1 }, minContains: 0, maxContains: 1 },
    valid: [[], [1]],
    invalid: [[1, 1]],
  },
  'dependencies of both kinds': {
    schema: { $schema: DRAFT_7, dependencies: { a: ['b'], c: { minProperties: 3 } } },
    valid: [
      { a: 1, b: 1 },
      { c: 1, d: 1, e: 1 },
    ],
    invalid: [{ a: 1 }, { c: 1 }],
  },
  propertyNames: { schema: { propertyNames: { maxLength: 2 } }, valid: [{ ab: 1 }], invalid: [{ abc: 1 }] },
  'format, which is only an annotation': { schema: { format: 'email' }, valid: ['x', 1], invalid: [] },
  'names of Object.prototype': {
    schema: JSON.parse(
      '{"properties":{"__proto__":{"type":"number"},"toString":{"type":"number"}},"required":["constructor"]}',
    ),
    valid: [JSON.parse('{"constructor":1}')],
    invalid: [{}, JSON.parse('{"constructor":1,"__proto__":"x"}'), { constructor: 1, toString: 'x' }],
  },
  'decimal multiples': {
    schema: { multipleOf: 0.1 },
    valid: [0.3, 1.1, 4.35e1, 0, 1e300],
    invalid: [0.35, 0.100_000_000_001],
  },
  'multiples of a tiny number': { schema: { multipleOf: 1e-8 }, valid: [12_391_239_123], invalid: [1e-9] },
  'multiples below the largest number': { schema: { multipleOf: 0.123_456_789 }, valid: [0], invalid: [1e308] },
  'unique items whose members are in another order': {
    schema: { uniqueItems: true },
    valid: [[{ a: 1 }, { a: '1' }, 1, '1', true, null, [], {}, '{}']],
    invalid: [
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [0, -0],
      [[1], [1]],
    ],
  },
  'patterns as other languages write them': {
    schema: {
      properties: {
        a: { pattern: '^\\_x\\-' },
        b: { pattern: '(?i)^abc$' },
        c: { pattern: '^(?!\\.)(?!.*\\.\\.)[a-z.]+$' },
      },
    },
    valid: [{ a: '_x-', b: 'ABC', c: 'a.b' }],
    invalid: [{ a: 'x' }, { b: 'x' }, { c: 'a..b' }],
  },
}

describe('the drafts of JSON Schema', () => {
  it.each(Object.entries(CASES))('compileJsonSchema understands %s', (_, { schema, valid, invalid, documents }) => {
    const check = compileJsonSchema(schema, { documents })
    const fits = (value: unknown): boolean => runCheck(check, value) === undefined
    expect(valid.filter(value => !fits(value))).toEqual([])
    expect(invalid.filter(fits)).toEqual([])
  })

  it.each([
    [{ properties: { a: { $ref: '#/$defs/none' } } }, "/properties/a/$ref: '#/$defs/none' names nothing in the schema"],
    [{ $ref: 'http://x.test/elsewhere' }, "/$ref: 'http://x.test/elsewhere' names nothing in the schema"],
    [{ $ref: '#none' }, "/$ref: '#none' names nothing in the schema"],
    [{ $ref: '#/$defs/a', $defs: { a: 1 } }, '/$ref: names a part of the schema that is not a schema'],
  ])('compileJsonSchema rejects %j and names the reference', (schema, message) => {
    expect(() => compileJsonSchema(schema)).toThrow(message)
  })

  it('compileJsonSchema escapes names in the paths of issues', () => {
    const check = compileJsonSchema({ properties: { 'a/b': { properties: { '~c': { type: 'string' } } } } })
    expect(runCheck(check, { 'a/b': { '~c': 1 } })).toEqual([
      { path: '/a~1b/~0c', message: 'must be string, not number' },
    ])
  })
})
