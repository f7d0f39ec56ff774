import { spend } from '../../pattern/work.ts'
import { pointer, type Check, type Run } from '../check.ts'
import type { Compiler } from './compiler.ts'
import { Evaluated } from '../evaluated.ts'
import { isRecord } from '../same-json.ts'
import type { SchemaObject } from '../schema-resource.ts'

/** Compiles `unevaluatedProperties` and `unevaluatedItems`, which apply to what the other keywords have not looked at. */
export function unevaluatedCheck(schema: SchemaObject, others: Check, compiler: Compiler): Check {
  if (!compiler.place.resource.dialect.modern) return others
  const compile = (keyword: string): Check | undefined => {
    const sub = schema[keyword] ?? undefined
    return sub === undefined ? undefined : compiler.sub(sub, `/${keyword}`)
  }
  const members = compile('unevaluatedProperties')
  const items = compile('unevaluatedItems')
  if (members === undefined && items === undefined) return others
  return (value, at, run) => {
    const outer = run.evaluated
    const own = new Evaluated()
    run.evaluated = own
    let fits = others(value, at, run)
    run.evaluated = undefined
    if (fits && members !== undefined && isRecord(value)) fits = checkMembers(value, at, { check: members, own, run })
    if (fits && items !== undefined && Array.isArray(value)) fits = checkItems(value, at, { check: items, own, run })
    run.evaluated = outer
    outer?.add(own, run)
    return fits
  }
}

interface Rest {
  readonly check: Check
  readonly own: Evaluated
  readonly run: Run
}

function checkMembers(value: Readonly<Record<string, unknown>>, at: string, { check, own, run }: Rest): boolean {
  let fits = true
  for (const key of Object.keys(value)) {
    spend(run, 1)
    if (!own.has(key) && !check(value[key], pointer(at, key), run)) fits = false
  }
  own.allMembers = true
  return fits
}

function checkItems(value: readonly unknown[], at: string, { check, own, run }: Rest): boolean {
  let fits = true
  spend(run, value.length)
  for (const [index, item] of value.entries()) {
    if (!own.hasItem(index) && !check(item, pointer(at, index), run)) fits = false
  }
  own.items = value.length
  return fits
}
