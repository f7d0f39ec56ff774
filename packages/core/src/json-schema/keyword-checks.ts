import type { ValidationIssue } from '../schema/error-info.ts'
import { fail, pointer, schemaFault, type Check } from './check.ts'
import { isRecord, sameJson } from './same-json.ts'

type Keywords = Readonly<Record<string, unknown>>
/** Compiles a subschema at a path of the schema. */
export type CompileSub = (schema: unknown, path: string) => Check

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: value => typeof value === 'string',
  number: value => typeof value === 'number' && Number.isFinite(value),
  integer: Number.isInteger,
  boolean: value => typeof value === 'boolean',
  object: isRecord,
  array: Array.isArray,
  null: value => value === null,
}

export function typeCheck({ type }: Keywords, path: string): Check[] {
  if (type === undefined) return []
  const names: unknown[] = Array.isArray(type) ? type : [type]
  const tests = names.map(name => {
    const test = typeof name === 'string' ? TYPES[name] : undefined
    if (test === undefined)
      schemaFault(`${path}/type`, `${JSON.stringify(name)} is an unknown type; known: ${Object.keys(TYPES).join(', ')}`)
    return test
  })
  const wanted = names.join(' or ')
  return [
    (value, at, issues) =>
      tests.some(test => test(value)) || fail(issues, at, `must be ${wanted}, not ${typeName(value)}`),
  ]
}

export function valueChecks(schema: Keywords, path: string): Check[] {
  const checks: Check[] = []
  if ('enum' in schema) {
    const options = schema['enum']
    if (!Array.isArray(options)) schemaFault(`${path}/enum`, 'must be an array')
    const list = options.map(option => JSON.stringify(option)).join(', ')
    checks.push(
      (value, at, issues) =>
        options.some(option => sameJson(option, value)) || fail(issues, at, `must be one of ${list}`),
    )
  }
  if ('const' in schema) {
    const only = schema['const']
    checks.push((value, at, issues) => sameJson(only, value) || fail(issues, at, `must be ${JSON.stringify(only)}`))
  }
  return checks
}

export function numberChecks(schema: Keywords, path: string): Check[] {
  const bounds: readonly [string, string, (value: number, bound: number) => boolean][] = [
    ['minimum', 'at least', (value, bound) => value >= bound],
    ['maximum', 'at most', (value, bound) => value <= bound],
    ['exclusiveMinimum', 'above', (value, bound) => value > bound],
    ['exclusiveMaximum', 'below', (value, bound) => value < bound],
    ['multipleOf', 'a multiple of', (value, bound) => Math.abs(value / bound - Math.round(value / bound)) < 1e-9],
  ]
  return bounds.flatMap(([keyword, words, fits]) => {
    const bound = numberOf(schema, keyword, path)
    if (bound === undefined) return []
    return [
      (value, at, issues) =>
        typeof value !== 'number' || fits(value, bound) || fail(issues, at, `must be ${words} ${bound}`),
    ]
  })
}

export function stringChecks(schema: Keywords, path: string): Check[] {
  const checks: Check[] = []
  const min = numberOf(schema, 'minLength', path)
  const max = numberOf(schema, 'maxLength', path)
  if (min !== undefined || max !== undefined) checks.push(lengthCheck(min ?? 0, max ?? Infinity))
  const { pattern } = schema
  if (pattern !== undefined) {
    const expression = toRegExp(pattern, `${path}/pattern`)
    checks.push(
      (value, at, issues) =>
        typeof value !== 'string' || expression.test(value) || fail(issues, at, `must match ${expression}`),
    )
  }
  return checks
}

export function arrayChecks(schema: Keywords, path: string, compileSub: CompileSub): Check[] {
  const checks: Check[] = []
  const min = numberOf(schema, 'minItems', path) ?? 0
  const max = numberOf(schema, 'maxItems', path) ?? Infinity
  if (min > 0 || max < Infinity) {
    checks.push((value, at, issues) => {
      if (!Array.isArray(value) || (value.length >= min && value.length <= max)) return true
      return fail(issues, at, `must have ${range(min, max)} items, not ${value.length}`)
    })
  }
  if (schema['uniqueItems'] === true) {
    checks.push((value, at, issues) => {
      if (!Array.isArray(value)) return true
      const repeated = value.some((item, index) => value.slice(0, index).some(other => sameJson(item, other)))
      return !repeated || fail(issues, at, 'must not repeat items')
    })
  }
  if (schema['items'] !== undefined) {
    const item = compileSub(schema['items'], `${path}/items`)
    checks.push(
      (value, at, issues) =>
        !Array.isArray(value) || everyItem(value, (entry, index) => item(entry, pointer(at, index), issues)),
    )
  }
  return checks
}

export function compositionCheck(schema: Keywords, path: string, compileSub: CompileSub): Check[] {
  const list = (keyword: string): Check[] | undefined => {
    const subs = schema[keyword]
    if (subs === undefined) return undefined
    if (!Array.isArray(subs) || subs.length === 0) schemaFault(`${path}/${keyword}`, 'must be a non-empty array')
    return subs.map((sub, index) => compileSub(sub, `${path}/${keyword}/${index}`))
  }
  const checks: Check[] = list('allOf') ?? []
  const anyOf = list('anyOf')
  if (anyOf !== undefined) checks.push(choice(anyOf, count => count >= 1, 'must fit one of the alternatives'))
  const oneOf = list('oneOf')
  if (oneOf !== undefined) checks.push(choice(oneOf, count => count === 1, 'must fit exactly one of the alternatives'))
  if (schema['not'] !== undefined) {
    const not = compileSub(schema['not'], `${path}/not`)
    checks.push((value, at, issues) => !not(value, at, []) || fail(issues, at, 'must not be of the excluded form'))
  }
  return checks
}

function choice(options: readonly Check[], enough: (count: number) => boolean, sentence: string): Check {
  return (value, at, issues) => {
    const reasons: ValidationIssue[][] = []
    let count = 0
    for (const option of options) {
      const own: ValidationIssue[] = []
      if (option(value, at, own)) count++
      else reasons.push(own)
    }
    if (enough(count)) return true
    const why =
      count === 0
        ? `: ${reasons.map(own => own.map(issue => `${issue.path} ${issue.message}`.trim()).join(' and ')).join('; or ')}`
        : ''
    return fail(issues, at, sentence + why)
  }
}

function lengthCheck(min: number, max: number): Check {
  return (value, at, issues) => {
    if (typeof value !== 'string') return true
    // JSON Schema counts code points. The number of UTF-16 units bounds it, which decides most strings without counting.
    const length = value.length >= min * 2 && value.length <= max ? min : Array.from(value).length
    if (length >= min && length <= max) return true
    return fail(issues, at, `must have ${range(min, max)} characters, not ${length}`)
  }
}

function numberOf(schema: Keywords, keyword: string, path: string): number | undefined {
  const value = schema[keyword]
  if (value !== undefined && typeof value !== 'number') schemaFault(`${path}/${keyword}`, 'must be a number')
  return value
}

function toRegExp(pattern: unknown, path: string): RegExp {
  try {
    return new RegExp(String(pattern), 'u')
  } catch {
    schemaFault(path, `${String(pattern)} is an invalid regular expression`)
  }
}

/** Checks every item, so that all issues are reported. */
function everyItem(items: readonly unknown[], fits: (item: unknown, index: number) => boolean): boolean {
  let ok = true
  for (let index = 0; index < items.length; index++) if (!fits(items[index], index)) ok = false
  return ok
}

function range(min: number, max: number): string {
  if (max === Infinity) return `at least ${min}`
  return min === 0 ? `at most ${max}` : `${min} to ${max}`
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
