import type { PatternTest } from '../../pattern/compile-pattern.ts'
import { spend } from '../../pattern/work.ts'
import { escapeKey, fail, pointer, schemaFault, type Check, type Run } from '../check.ts'
import type { Compiler } from './compiler.ts'
import { countOf } from './number-checks.ts'
import { isRecord } from '../same-json.ts'
import type { SchemaObject } from '../schema-resource.ts'
import { showNames } from './show-value.ts'
import { toPattern } from './string-checks.ts'

type Members = ReadonlyMap<string, Check>
type Patterns = readonly (readonly [matches: PatternTest, check: Check])[]

/** Compiles the keywords for the members of objects, `unevaluatedProperties` excepted. */
export function objectChecks(schema: SchemaObject, path: string, compiler: Compiler): Check[] {
  const checks: Check[] = []
  const required = schema['required'] ?? undefined
  // Draft-03 writes `required: true` in the schema of the member.
  if (required !== undefined && typeof required !== 'boolean')
    checks.push(requiredCheck(namesOf(required, `${path}/required`)))
  const members = membersOf(schema, path, compiler)
  if (members.size > 0) checks.push(memberCheck(members))
  const patterns = patternsOf(schema, path, compiler)
  if (patterns.length > 0) checks.push(patternCheck(patterns))
  const rest = schema['additionalProperties'] ?? undefined
  if (rest === false) checks.push(closedCheck(members, patterns))
  else if (rest !== undefined) checks.push(restCheck(members, patterns, compiler.sub(rest, '/additionalProperties')))
  const names = schema['propertyNames'] ?? undefined
  if (names !== undefined) checks.push(namesCheck(compiler.sub(names, '/propertyNames')))
  const min = countOf(schema, 'minProperties', path)
  const max = countOf(schema, 'maxProperties', path)
  if (min !== undefined || max !== undefined) checks.push(countCheck(min ?? 0, max ?? Infinity))
  return checks
}

/** Returns a list of names. @throws ParleyError `config-invalid` */
export function namesOf(given: unknown, path: string): readonly string[] {
  if (!Array.isArray(given) || !given.every(key => typeof key === 'string'))
    schemaFault(path, 'must be an array of names')
  return given
}

/** Checks that an object has members of these names. */
export function requiredCheck(names: readonly string[]): Check {
  return (value, at, run) => {
    if (!isRecord(value)) return true
    spend(run, names.length)
    let ok = true
    for (const key of names) if (!Object.hasOwn(value, key)) ok = fail(run, pointer(at, key), 'is missing')
    return ok
  }
}

function membersOf(schema: SchemaObject, path: string, compiler: Compiler): Members {
  const properties = schema['properties'] ?? {}
  if (!isRecord(properties)) schemaFault(`${path}/properties`, 'must be an object')
  return new Map(
    Object.entries(properties).map(([key, sub]) => [key, compiler.sub(sub, `/properties/${escapeKey(key)}`)]),
  )
}

function patternsOf(schema: SchemaObject, path: string, compiler: Compiler): Patterns {
  const given = schema['patternProperties'] ?? {}
  if (!isRecord(given)) schemaFault(`${path}/patternProperties`, 'must be an object')
  return Object.entries(given).map(([pattern, sub]) => {
    const below = `/patternProperties/${escapeKey(pattern)}`
    return [toPattern(pattern, path + below), compiler.sub(sub, below)]
  })
}

function memberCheck(members: Members): Check {
  const entries = [...members].map(([key, check]) => ({ key, check, below: `/${escapeKey(key)}` }))
  return (value, at, run) => {
    if (!isRecord(value)) return true
    const { evaluated } = run
    run.evaluated = undefined
    spend(run, entries.length)
    let ok = true
    for (const { key, check, below } of entries) {
      if (!Object.hasOwn(value, key)) continue
      evaluated?.members.add(key)
      if (!check(value[key], at + below, run)) ok = false
    }
    run.evaluated = evaluated
    return ok
  }
}

function patternCheck(patterns: Patterns): Check {
  return (value, at, run) => {
    if (!isRecord(value)) return true
    const { evaluated } = run
    run.evaluated = undefined
    let ok = true
    for (const key of Object.keys(value)) {
      spend(run, patterns.length)
      for (const [matches, check] of patterns) {
        if (!matches(key, run)) continue
        evaluated?.members.add(key)
        if (!check(value[key], pointer(at, key), run)) ok = false
      }
    }
    run.evaluated = evaluated
    return ok
  }
}

function closedCheck(members: Members, patterns: Patterns): Check {
  const known = members.size === 0 ? 'none' : showNames([...members.keys()])
  return (value, at, run) => {
    if (!isRecord(value)) return true
    let ok = true
    for (const key of Object.keys(value)) {
      if (!isKnown(key, { members, patterns, run }))
        ok = fail(run, pointer(at, key), `is not allowed (allowed: ${known})`)
    }
    if (run.evaluated !== undefined) run.evaluated.allMembers = true
    return ok
  }
}

function restCheck(members: Members, patterns: Patterns, rest: Check): Check {
  return (value, at, run) => {
    if (!isRecord(value)) return true
    const { evaluated } = run
    run.evaluated = undefined
    let ok = true
    for (const key of Object.keys(value)) {
      if (!isKnown(key, { members, patterns, run }) && !rest(value[key], pointer(at, key), run)) ok = false
    }
    run.evaluated = evaluated
    if (evaluated !== undefined) evaluated.allMembers = true
    return ok
  }
}

interface Known {
  readonly members: Members
  readonly patterns: Patterns
  readonly run: Run
}

function isKnown(key: string, { members, patterns, run }: Known): boolean {
  spend(run, 1 + patterns.length)
  return members.has(key) || patterns.some(([matches]) => matches(key, run))
}

function namesCheck(check: Check): Check {
  return (value, at, run) => {
    if (!isRecord(value)) return true
    const { issues, evaluated } = run
    let ok = true
    run.evaluated = undefined
    for (const key of Object.keys(value)) {
      run.issues = []
      if (check(key, '', run)) continue
      const reasons = run.issues.map(({ message }) => message).join(' and ')
      run.issues = issues
      ok = fail(run, pointer(at, key), `has an invalid name, which ${reasons}`)
    }
    run.issues = issues
    run.evaluated = evaluated
    return ok
  }
}

function countCheck(min: number, max: number): Check {
  return (value, at, run) => {
    if (!isRecord(value)) return true
    const count = Object.keys(value).length
    spend(run, count)
    return (count >= min && count <= max) || fail(run, at, `must have ${min} to ${max} properties, not ${count}`)
  }
}
