/** A schema and a value that make a careless validator work without end. */
export interface HostileCase {
  readonly name: string
  readonly schema: unknown
  readonly value: unknown
}

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)
const MEGABYTE = 'a'.repeat(1_000_000)

/** Nests `count` times. */
function nested(count: number, wrap: (inner: unknown, level: number) => unknown, core: unknown): unknown {
  return range(count).reduce<unknown>((inner, level) => wrap(inner, level), core)
}

/** Definitions in which each level refers to the next one twice. */
function doubling(keyword: 'anyOf' | 'oneOf' | 'allOf', levels: number, core: unknown): unknown {
  const level = (index: number): unknown => ({ $ref: `#/$defs/l${index}` })
  const $defs = Object.fromEntries(
    range(levels).map(index => [`l${index}`, { [keyword]: [level(index + 1), level(index + 1)] }]),
  )
  return { $defs: { ...$defs, [`l${levels}`]: core }, $ref: '#/$defs/l0' }
}

const PATTERNS: readonly (readonly [pattern: string, text: string])[] = [
  ['^(a+)+$', `${'a'.repeat(29)}!`],
  ['^(a+)+$', `${MEGABYTE}!`],
  ['^(a*)*$', `${'a'.repeat(50)}!`],
  ['^(a|a)*$', `${'a'.repeat(50)}!`],
  ['^(a|aa)+$', `${'a'.repeat(80)}!`],
  ['^([a-z]+)*$', `${'a'.repeat(40)}1`],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(60)],
  ['(x+x+)+y', 'x'.repeat(200)],
  ['(.*)*x', 'a'.repeat(5_000)],
  ['.*.*.*.*.*=.*', 'x'.repeat(100_000)],
  ['\\s+$', `${' '.repeat(500_000)}x`],
  ['a*b', MEGABYTE],
  ['[a-z]*[0-9]', MEGABYTE],
  ['^(?:(?:a?){30})(?:a{30})$', 'a'.repeat(29)],
  ['(?:a?){60}a{60}', 'a'.repeat(59)],
  ['^(.{1,500}){1,100}$', MEGABYTE],
  ['(a{0,1000}){0,90}b', 'a'.repeat(50_000)],
  ['(a{1000}){1000}', MEGABYTE],
  ['((a{100}){100}){100}', MEGABYTE],
  ['a{99999}', MEGABYTE],
  ['a{0,99999}b', MEGABYTE],
  ['(a|b)*a(a|b){3000}c', 'ab'.repeat(200_000)],
  ['(?=(a+))a*b', MEGABYTE],
  ['^(?=.*a)(?=.*b)(?=.*c)(?=.*d)(?=.*e).*$', MEGABYTE],
  ['(?:(?=a)a)*b', 'a'.repeat(100_000)],
  ['(?<=a+)b', MEGABYTE],
  ['(?<!(a+)+)b', MEGABYTE],
  ['(?!(a+)+$).*b', MEGABYTE],
  ['\\b(\\w+\\b\\s*)+!', 'word '.repeat(100_000)],
  ['^(\\w+\\s?)*\\.$', 'word '.repeat(100_000)],
  ['(?i)(a|A)+b', 'aA'.repeat(300_000)],
  ['^(\\p{L}|\\p{Lu})*$', `${'é'.repeat(300_000)}!`],
  ['([^]|.)*z', '😀'.repeat(200_000)],
  ['('.repeat(5_000) + ')'.repeat(5_000), 'a'],
  ['(a|'.repeat(150) + 'b' + ')'.repeat(150), MEGABYTE],
  ['[' + range(3_000).map(index => String.fromCodePoint(1_000 + index)).join('') + ']+z', '\u{500}'.repeat(200_000)],
  [range(2_000).map(index => `w${index}x`).join('|'), 'w1'.repeat(300_000)],
  ['(?:' + range(500).map(index => `a{${index}}`).join('|') + ')c', 'a'.repeat(100_000)],
  ['(((((a+)+)+)+)+)+$', `${'a'.repeat(100_000)}!`],
  ['^((((a*)*)*)*)*b', 'a'.repeat(100_000)],
  ['(a+){2,}(b+){2,}c', 'aabb'.repeat(50_000)],
  ['^(?:.*,){11}P', ','.repeat(40_000)],
  ['<!--.*?-->', '<!--'.repeat(100_000)],
  ['(\\d+)(\\d+)(\\d+)x', '1'.repeat(200_000)],
  ['[\\w.+-]+@[\\w-]+\\.[\\w.-]+$', 'a.'.repeat(200_000)],
  ['^(?=(?:.*?x){3}).+$', 'a'.repeat(300_000)],
]

const list = (count: number, item: (index: number) => unknown): readonly unknown[] => range(count).map(item)
const object = (count: number, item: (index: number) => unknown): object =>
  Object.fromEntries(range(count).map(index => [`key${index}`, item(index)]))

const deepArray = (depth: number): unknown => nested(depth, inner => [inner], 1)
const deepObject = (depth: number): unknown => nested(depth, inner => ({ a: inner }), 1)
const tree: unknown = { $ref: '#/$defs/n', $defs: { n: { type: ['array', 'number'], items: { $ref: '#/$defs/n' } } } }

const OTHERS: readonly (readonly [name: string, schema: unknown, value: unknown])[] = [
  ...(['anyOf', 'oneOf', 'allOf'] as const).flatMap(keyword =>
    [20, 40, 200].map(levels => [`${keyword} doubled ${levels} times`, doubling(keyword, levels, { type: 'string' }), 1] as const),
  ),
  ['anyOf doubled 60 times over a fitting value', doubling('anyOf', 60, { type: 'number' }), 1],
  ['oneOf doubled 60 times over a fitting value', doubling('oneOf', 60, { type: 'number' }), 1],
  ['allOf doubled 60 times over a fitting value', doubling('allOf', 60, { type: 'number' }), 1],
  ['not nested 150 deep', nested(150, not => ({ not }), { type: 'string' }), 1],
  ['if nested 150 deep', nested(150, inner => Object.fromEntries(['if', 'then', 'else'].map(keyword => [keyword, inner])), true), 1],
  ['a reference to itself', { $ref: '#' }, 1],
  ['two references to each other', { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }, 1],
  ['a dynamic reference to itself', { $dynamicAnchor: 'n', $dynamicRef: '#n' }, 1],
  ['a recursive reference to itself', { $schema: 'https://json-schema.org/draft/2019-09/schema', $recursiveRef: '#' }, 1],
  ['allOf of references to itself', { allOf: [{ $ref: '#' }, { $ref: '#' }] }, 1],
  ['anyOf of references to itself', { anyOf: [{ $ref: '#' }, { $ref: '#' }] }, {}],
  ['not of a reference to itself', { not: { $ref: '#' } }, {}],
  ['a chain of 4,000 references', { $ref: '#/$defs/key0', $defs: object(4_000, index => ({ $ref: `#/$defs/key${index + 1}` })) }, 1],
  ['a chain of 400 references that ends', { $ref: '#/$defs/key0', $defs: { ...object(400, index => ({ $ref: `#/$defs/key${index + 1}` })), key400: {} } }, 1],
  ['a recursive schema and 100,000 levels of arrays', tree, deepArray(100_000)],
  ['a recursive schema and 400 levels of arrays', tree, deepArray(400)],
  ['a recursive object and 100,000 levels', { properties: { a: { $ref: '#' } }, additionalProperties: false }, deepObject(100_000)],
  ['additionalProperties of itself on a wide tree', { additionalProperties: { $ref: '#' } }, object(300, () => object(300, () => ({})))],
  ['a schema of 100,000 levels', nested(100_000, inner => ({ items: inner }), {}), []],
  ['a schema of 5,000 levels of properties', nested(5_000, inner => ({ properties: { a: inner } }), {}), {}],
  ['a constant of 100,000 levels', { const: deepArray(100_000) }, deepArray(100_000)],
  ['a constant of 150 levels on a deeper value', { const: deepArray(150) }, deepArray(100_000)],
  ['a default of 100,000 levels', { default: deepObject(100_000) }, 1],
  ['an enum of 1,000,000 strings', { enum: list(1_000_000, index => `v${index}`) }, 'x'],
  ['an enum of 49,000 strings', { enum: list(49_000, index => `v${index}`) }, 'x'],
  ['an enum of 20,000 objects on 1,000 items', { items: { enum: list(20_000, index => ({ index })) } }, list(1_000, index => ({ index: -index }))],
  ['an enum with a string of 3 megabytes', { enum: [MEGABYTE + MEGABYTE + MEGABYTE] }, MEGABYTE],
  ['an enum with strings of 10 megabytes', { enum: list(10, () => MEGABYTE) }, MEGABYTE],
  ['uniqueItems on 10,000 objects', { uniqueItems: true }, list(10_000, index => ({ id: index, name: `n${index}` }))],
  ['uniqueItems on 100,000 numbers', { uniqueItems: true }, list(100_000, index => index)],
  ['uniqueItems on 100,000 objects', { uniqueItems: true }, list(100_000, index => ({ index }))],
  ['uniqueItems on deep items', { uniqueItems: true }, [deepArray(50_000), deepArray(50_000)]],
  ['uniqueItems on long strings', { uniqueItems: true }, list(20, index => MEGABYTE + String(index))],
  ['uniqueItems at each level', { uniqueItems: true, items: { $ref: '#' } }, nested(14, inner => [inner, [inner]], 1)],
  ['uniqueItems at each of 300 levels', { uniqueItems: true, items: { $ref: '#' } }, nested(300, (inner, level) => [inner, level], list(500, index => index))],
  ['1,000 patternProperties on 1,000 keys', { patternProperties: Object.fromEntries(range(1_000).map(index => [`^(k+e+y+)+${index}x$`, true])) }, object(1_000, () => 1)],
  ['50 patternProperties on a key of a megabyte', { patternProperties: Object.fromEntries(range(50).map(index => [`(a+)+${index}$`, true])) }, { [MEGABYTE]: 1 }],
  ['a pattern for the names of 20,000 keys', { propertyNames: { pattern: '^(a|aa)+$' } }, object(20_000, () => 1)],
  ['propertyNames of alternatives', { propertyNames: { anyOf: list(1_000, index => ({ const: `x${index}` })) } }, object(5_000, () => 1)],
  ['additionalProperties: false on 50,000 keys', { additionalProperties: false }, object(50_000, () => 1)],
  ['3,000 known keys and 20,000 unknown keys', { properties: object(3_000, () => true), additionalProperties: false }, Object.fromEntries(range(20_000).map(index => [`x${index}`, 1]))],
  ['3,000 required keys on 1,000 objects', { items: { required: range(3_000).map(String) } }, list(1_000, () => ({}))],
  ['3,000 dependencies on 1,000 objects', { items: { dependentRequired: object(3_000, () => ['x']) } }, list(1_000, () => object(30, () => 1))],
  ['unevaluatedProperties nested 80 deep', nested(80, inner => ({ allOf: [inner], unevaluatedProperties: true }), { properties: { key1: true } }), object(2_000, () => 1)],
  ['unevaluatedProperties over 500 alternatives', { anyOf: list(500, index => ({ properties: { [`key${index}`]: true } })), unevaluatedProperties: false }, object(500, () => 1)],
  ['unevaluatedProperties over doubled alternatives', { ...(doubling('anyOf', 40, { properties: { key1: true } }) as object), unevaluatedProperties: false }, object(100, () => 1)],
  ['unevaluatedItems over contains', { allOf: list(50, index => ({ contains: { const: index } })), unevaluatedItems: false }, list(20_000, index => index % 100)],
  ['contains nested in contains', nested(10, contains => ({ contains }), { const: 'x' }), nested(7, inner => list(7, () => inner), 1)],
  ['1,000 alternatives on 10,000 items', { items: { anyOf: list(1_000, index => ({ const: index })) } }, list(10_000, () => -1)],
  ['1,000 alternatives of objects', { oneOf: list(1_000, index => ({ properties: { kind: { const: index }, a: { type: 'string' } }, required: ['kind'] })) }, { kind: -1, a: 1 }],
  ['prefixItems of 4,900 schemas', { prefixItems: list(4_900, () => ({ type: 'string' })) }, list(5_000, () => 1)],
  ['20,000 subschemas', { properties: object(20_000, () => ({ type: 'string' })) }, {}],
  ['4,900 subschemas', { properties: object(4_900, index => ({ type: 'string', minLength: index })) }, object(4_900, () => 'x')],
  ['3,000 patterns', { properties: object(3_000, index => ({ type: 'string', pattern: `^(a+)+${index}$` })) }, object(3_000, () => 'aaaa!')],
  ['a million errors', { items: { type: 'string' } }, list(300_000, () => 1)],
  ['errors with long names', { additionalProperties: { type: 'string' } }, Object.fromEntries(range(30).map(index => [`${MEGABYTE}${index}`, 1]))],
  ['a description of 5 megabytes', { description: MEGABYTE.repeat(5) }, 1],
  ['minLength on a megabyte of surrogate pairs', { minLength: 600_000 }, '😀'.repeat(500_000)],
  ['1,000 lengths of a megabyte', { allOf: list(1_000, index => ({ minLength: 400_000 + index })) }, '😀'.repeat(500_000)],
  ['multipleOf with extreme exponents', { multipleOf: 5e-324 }, 1.797_693_134_862_315_7e308],
  ['multipleOf on 20,000 fractions', { items: { multipleOf: 1e-300 } }, list(20_000, index => index + 0.1)],
  ['a $ref to the metaschema on a large value', { $ref: 'https://json-schema.org/draft/2020-12/schema' }, { properties: object(4_900, () => ({ type: 'string' })) }],
  ['a $ref to the metaschema on 2,000 items', { items: { $ref: 'http://json-schema.org/draft-07/schema#' } }, list(2_000, () => ({ type: 'string', pattern: 'a{1,9000}' }))],
  ['4,900 nested ids', { $defs: object(4_900, index => ({ $id: `http://x/${index}`, $ref: '#' })) }, 1],
  ['2,400 anchors', { $defs: object(2_400, index => ({ $anchor: `a${index}` })), allOf: list(2_400, index => ({ $ref: `#a${index}` })) }, 1],
  ['a pointer of 100,000 steps', { $ref: `#${'/a'.repeat(100_000)}` }, 1],
  ['an $id of a megabyte', { $id: `http://x/${MEGABYTE}`, $ref: '#' }, 1],
]

export const hostileCases: readonly HostileCase[] = [
  ...PATTERNS.map(([pattern, text]) => ({
    name: `the pattern ${pattern.slice(0, 40)} on ${text.length} characters`,
    schema: { type: 'string', pattern },
    value: text,
  })),
  ...OTHERS.map(([name, schema, value]) => ({ name, schema, value })),
]
