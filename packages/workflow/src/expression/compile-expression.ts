import type { Json } from '@parley/core'
import { RE2JS } from 're2js'
import { compileReference } from '../template/compile-reference.ts'
import { canonicalText, isObject } from '../template/json.ts'
import type { Evaluate } from '../template/scope.ts'
import { below, refuse, type Site } from '../template/site.ts'

/** Deeper conditions could overflow the stack. */
const MAX_DEPTH = 100

type Compile = (given: unknown, site: Site, depth: number) => Evaluate

const OPERATORS: ReadonlyMap<string, Compile> = new Map<string, Compile>([
  ['literal', given => () => given as Json],
  ['variable', (given, site) => compileReference(textOf(given, site), site)],
  ['equals', pair((a, b) => canonicalText(a) === canonicalText(b))],
  ['notEquals', pair((a, b) => canonicalText(a) !== canonicalText(b))],
  ['greaterThan', pair((a, b) => toNumber(a) > toNumber(b))],
  ['lessThan', pair((a, b) => toNumber(a) < toNumber(b))],
  ['contains', pair(contains)],
  ['and', list(parts => scope => parts.every(part => isTrue(part(scope))))],
  ['or', list(parts => scope => parts.some(part => isTrue(part(scope))))],
  ['not', one(value => !isTrue(value))],
  ['isEmpty', one(isEmpty)],
  ['hasKey', withText((value, key) => isObject(value) && Object.hasOwn(value, key))],
  ['matches', matches],
])

/**
 * Compiles a condition. Its evaluation never fails, and takes linear time in the size of the values.
 * @throws ParleyError `config-invalid` with the place of the problem.
 */
export function compileExpression(given: unknown, site: Site, depth = 0): Evaluate {
  if (depth > MAX_DEPTH) refuse(site.path, `is nested more than ${MAX_DEPTH} deep`)
  if (given === null || typeof given === 'string' || typeof given === 'boolean') return () => given
  if (typeof given === 'number' && Number.isFinite(given)) return () => given
  const [[name, operands] = ['', undefined], ...others] = isObject(given) ? Object.entries(given) : []
  const compile = OPERATORS.get(name)
  if (compile === undefined || others.length > 0) {
    refuse(site.path, `must be a condition with one of ${[...OPERATORS.keys()].join(', ')}`)
  }
  return compile(operands, below(site, `.${name}`), depth + 1)
}

/** Whether a value counts as true. */
export function isTrue(value: Json): boolean {
  if (Array.isArray(value)) return value.length > 0
  return value !== null && value !== false && value !== 0 && value !== ''
}

function one(test: (value: Json) => boolean): Compile {
  return (given, site, depth) => {
    const value = compileExpression(given, site, depth)
    return scope => test(value(scope))
  }
}

function pair(test: (a: Json, b: Json) => boolean): Compile {
  return (given, site, depth) => {
    const [first, second] = operandsOf(given, site, 2)
    const a = compileExpression(first, below(site, '[0]'), depth)
    const b = compileExpression(second, below(site, '[1]'), depth)
    return scope => test(a(scope), b(scope))
  }
}

function list(combine: (parts: readonly Evaluate[]) => Evaluate): Compile {
  return (given, site, depth) =>
    combine(operandsOf(given, site).map((part, index) => compileExpression(part, below(site, `[${index}]`), depth)))
}

function withText(test: (value: Json, text: string) => boolean): Compile {
  return (given, site, depth) => {
    const [first, second] = operandsOf(given, site, 2)
    const value = compileExpression(first, below(site, '[0]'), depth)
    const text = textOf(second, below(site, '[1]'))
    return scope => test(value(scope), text)
  }
}

function matches(given: unknown, site: Site, depth: number): Evaluate {
  const [first, second] = operandsOf(given, site, 2)
  const value = compileExpression(first, below(site, '[0]'), depth)
  const place = below(site, '[1]')
  const found = compilePattern(textOf(second, place), place.path)
  return scope => {
    const text = value(scope)
    return typeof text === 'string' && found(text)
  }
}

/**
 * Compiles an RE2 pattern. RE2 has no lookaround and no back references, so matching always takes linear time.
 * @throws ParleyError `config-invalid`.
 */
function compilePattern(pattern: string, path: string): (text: string) => boolean {
  try {
    const compiled = RE2JS.compile(pattern)
    return text => compiled.test(text)
  } catch (error) {
    return refuse(path, `must be an RE2 pattern: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function operandsOf(given: unknown, site: Site, count?: number): readonly unknown[] {
  if (Array.isArray(given) && (count === undefined ? given.length > 0 : given.length === count)) return given
  refuse(site.path, `must be a list of ${count === undefined ? 'conditions' : `${count}`}`)
}

function textOf(given: unknown, site: Site): string {
  return typeof given === 'string' ? given : refuse(site.path, 'must be a string')
}

/** Converts a value to a number. NaN for all other values: it is neither greater nor less than a number. */
function toNumber(value: Json): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
}

function contains(within: Json, sought: Json): boolean {
  if (typeof within === 'string') return typeof sought === 'string' && within.includes(sought)
  if (!Array.isArray(within)) return false
  const text = canonicalText(sought)
  return within.some(item => canonicalText(item) === text)
}

function isEmpty(value: Json): boolean {
  if (isObject(value)) return Object.keys(value).length === 0
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}
