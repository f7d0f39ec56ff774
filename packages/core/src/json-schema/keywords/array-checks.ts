import { spend } from '../../pattern/work.ts'
import { accept, fail, pointer, schemaFault, type Check, type Run } from '../check.ts'
import type { Compiler } from './compiler.ts'
import { countOf } from './number-checks.ts'
import { isUnique } from '../same-json.ts'
import type { SchemaObject } from '../schema-resource.ts'
import { range } from './string-checks.ts'

/** Compiles the keywords for arrays, `unevaluatedItems` excepted. */
export function arrayChecks(schema: SchemaObject, path: string, compiler: Compiler): Check[] {
  const checks: Check[] = []
  const min = countOf(schema, 'minItems', path) ?? 0
  const max = countOf(schema, 'maxItems', path) ?? Infinity
  if (min > 0 || max < Infinity) {
    checks.push((value, at, run) => {
      if (!Array.isArray(value) || (value.length >= min && value.length <= max)) return true
      return fail(run, at, `must have ${range(min, max)} items, not ${value.length}`)
    })
  }
  if (schema['uniqueItems'] === true)
    checks.push(
      (value, at, run) => !Array.isArray(value) || isUnique(value, run) || fail(run, at, 'must not repeat items'),
    )
  checks.push(...itemChecks(schema, path, compiler), ...containsCheck(schema, path, compiler))
  return checks
}

/**
 * Compiles the keywords for the items of arrays. Up to draft 2019-09, a list in `items` has the meaning of
 * `prefixItems` in 2020-12, and `additionalItems` has the meaning of `items`.
 */
function itemChecks(schema: SchemaObject, path: string, compiler: Compiler): Check[] {
  const { items, additionalItems, prefixItems } = schema
  const isTuple = Array.isArray(items)
  const heads = isTuple ? items : prefixItems
  const rest = (isTuple ? additionalItems : items) ?? undefined
  if (heads !== undefined && heads !== null && !Array.isArray(heads))
    schemaFault(`${path}/prefixItems`, 'must be an array of schemas')
  const keyword = isTuple ? 'items' : 'prefixItems'
  const first = (heads ?? []).map((head, index) => compiler.sub(head, `/${keyword}/${index}`))
  const after = rest === undefined ? undefined : compiler.sub(rest, isTuple ? '/additionalItems' : '/items')
  if (first.length === 0 && after === undefined) return []
  return [
    (value, at, run) => {
      if (!Array.isArray(value)) return true
      const { evaluated } = run
      run.evaluated = undefined
      const count = after === undefined ? Math.min(first.length, value.length) : value.length
      spend(run, count)
      let ok = true
      for (let index = 0; index < count; index++) {
        const check = first[index] ?? after ?? accept
        if (!check(value[index], `${at}/${index}`, run)) ok = false
      }
      run.evaluated = evaluated
      if (evaluated !== undefined) evaluated.items = Math.max(evaluated.items, count)
      return ok
    },
  ]
}

function containsCheck(schema: SchemaObject, path: string, compiler: Compiler): Check[] {
  const { contains } = schema
  if (contains === undefined || contains === null) return []
  const check = compiler.sub(contains, '/contains')
  const min = countOf(schema, 'minContains', path) ?? 1
  const max = countOf(schema, 'maxContains', path) ?? Infinity
  const { modern, containsEvaluates } = compiler.place.resource.dialect
  const [least, most] = modern ? [min, max] : [1, Infinity]
  const message = `must contain ${range(least, most)} items that fit`
  return [
    (value, at, run) => {
      if (!Array.isArray(value)) return true
      const { evaluated } = run
      const found = fitting(value, at, { check, run })
      run.evaluated = evaluated
      if (containsEvaluates) for (const index of evaluated === undefined ? [] : found) evaluated?.contained.add(index)
      return (found.length >= least && found.length <= most) || fail(run, at, `${message}, not ${found.length}`)
    },
  ]
}

function fitting(
  value: readonly unknown[],
  at: string,
  { check, run }: { readonly check: Check; readonly run: Run },
): number[] {
  const { issues } = run
  run.evaluated = undefined
  const found: number[] = []
  spend(run, 5 * value.length)
  for (const [index, item] of value.entries()) {
    run.issues = []
    if (check(item, pointer(at, index), run)) found.push(index)
  }
  run.issues = issues
  return found
}
