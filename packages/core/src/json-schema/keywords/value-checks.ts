import { spend } from '../../pattern/work.ts'
import { fail, schemaFault, type Check } from '../check.ts'
import { isRecord, jsonSize, sameJson } from '../same-json.ts'
import type { SchemaObject } from '../schema-resource.ts'
import { showList, showValue } from './show-value.ts'

const TYPES: ReadonlyMap<string, (value: unknown) => boolean> = new Map<string, (value: unknown) => boolean>([
  ['string', value => typeof value === 'string'],
  ['number', value => typeof value === 'number' && Number.isFinite(value)],
  ['integer', Number.isInteger],
  ['boolean', value => typeof value === 'boolean'],
  ['object', isRecord],
  ['array', Array.isArray],
  ['null', value => value === null],
])

/** Compiles `type`. */
export function typeCheck({ type }: SchemaObject, path: string): Check[] {
  if (type === undefined || type === null) return []
  const names: unknown[] = Array.isArray(type) ? type : [type]
  const tests = names.map(name => {
    const test = typeof name === 'string' ? TYPES.get(name) : undefined
    if (test === undefined)
      schemaFault(`${path}/type`, `${showValue(name)} is an unknown type; known: ${[...TYPES.keys()].join(', ')}`)
    return test
  })
  const wanted = names.join(' or ')
  const [only] = tests
  const fits = only !== undefined && tests.length === 1 ? only : (value: unknown) => tests.some(test => test(value))
  return [(value, at, run) => fits(value) || fail(run, at, `must be ${wanted}, not ${typeName(value)}`)]
}

/** Compiles `enum` and `const`. */
export function valueChecks(schema: SchemaObject, path: string): Check[] {
  const checks: Check[] = []
  const options = schema['enum'] ?? undefined
  if (options !== undefined) {
    if (!Array.isArray(options)) schemaFault(`${path}/enum`, 'must be an array')
    checks.push(memberOf(options, `must be one of ${showList(options)}`))
  }
  if ('const' in schema) checks.push(memberOf([schema['const']], `must be ${showValue(schema['const'])}`))
  return checks
}

function memberOf(options: readonly unknown[], message: string): Check {
  const scalars = new Set(options.filter(option => typeof option !== 'object' || option === null))
  const composites = options.filter(option => typeof option === 'object' && option !== null)
  const cost = composites.reduce<number>((sum, option) => sum + jsonSize(option), 0)
  return (value, at, run) => {
    if (scalars.has(value)) return true
    if (typeof value === 'object' && value !== null) {
      spend(run, 2 * cost)
      if (composites.some(option => sameJson(option, value))) return true
    }
    return fail(run, at, message)
  }
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
