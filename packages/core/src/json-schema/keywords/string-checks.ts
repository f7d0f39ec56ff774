import { compilePattern, type PatternTest } from '../../pattern/compile-pattern.ts'
import { PatternFault } from '../../pattern/pattern-node.ts'
import { spend } from '../../pattern/work.ts'
import { fail, schemaFault, type Check } from '../check.ts'
import { countOf } from './number-checks.ts'
import type { SchemaObject } from '../schema-resource.ts'
import { shorten } from './show-value.ts'

/** Compiles the keywords for strings. */
export function stringChecks(schema: SchemaObject, path: string): Check[] {
  const checks: Check[] = []
  const min = countOf(schema, 'minLength', path)
  const max = countOf(schema, 'maxLength', path)
  if (min !== undefined || max !== undefined) checks.push(lengthCheck(min ?? 0, max ?? Infinity))
  const pattern = schema['pattern'] ?? undefined
  if (pattern !== undefined) {
    const matches = toPattern(pattern, `${path}/pattern`)
    const message = `must match ${shorten(typeof pattern === 'string' ? pattern : JSON.stringify(pattern))}`
    checks.push((value, at, run) => typeof value !== 'string' || matches(value, run) || fail(run, at, message))
  }
  return checks
}

/** Compiles a pattern of a schema. @throws ParleyError `config-invalid` */
export function toPattern(pattern: unknown, path: string): PatternTest {
  if (typeof pattern !== 'string') schemaFault(path, 'must be a string')
  try {
    return compilePattern(pattern)
  } catch (error) {
    if (!(error instanceof PatternFault)) throw error
    return schemaFault(path, `${shorten(pattern)} is an invalid regular expression: it ${error.message}`)
  }
}

/** Describes a range of counts. */
export function range(min: number, max: number): string {
  if (max === Infinity) return `at least ${min}`
  return min === 0 ? `at most ${max}` : `${min} to ${max}`
}

function lengthCheck(min: number, max: number): Check {
  return (value, at, run) => {
    if (typeof value !== 'string') return true
    // JSON Schema counts code points. The number of UTF-16 units bounds it, which decides most strings without counting.
    const length = value.length >= min * 2 && value.length <= max ? min : codePoints(value)
    spend(run, 1 + (length >> 3))
    if (length >= min && length <= max) return true
    return fail(run, at, `must have ${range(min, max)} characters, not ${length}`)
  }
}

function codePoints(text: string): number {
  let count = text.length
  for (let at = 0; at < text.length - 1; at++) {
    if ((text.charCodeAt(at) & 0xfc_00) !== 0xd8_00 || (text.charCodeAt(at + 1) & 0xfc_00) !== 0xdc_00) continue
    count--
    at++
  }
  return count
}
