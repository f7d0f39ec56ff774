import { spend } from '../../pattern/work.ts'
import type { ValidationIssue } from '../../schema/error-info.ts'
import { escapeKey, fail, schemaFault, type Check } from '../check.ts'
import type { Compiler } from './compiler.ts'
import { namesOf, requiredCheck } from './object-checks.ts'
import { isRecord } from '../same-json.ts'
import type { SchemaObject } from '../schema-resource.ts'
import { shorten } from './show-value.ts'
import { toTrial } from './trial.ts'

const MOST_REASONS = 8
const MOST_CHARACTERS = 1_000

/** Compiles the keywords that apply other schemas to the same value, references excepted. */
export function compositionChecks(schema: SchemaObject, path: string, compiler: Compiler): Check[] {
  const list = (keyword: string): Check[] | undefined => {
    const subs = schema[keyword] ?? undefined
    if (subs === undefined) return undefined
    if (!Array.isArray(subs) || subs.length === 0) schemaFault(`${path}/${keyword}`, 'must be a non-empty array')
    return subs.map((sub, index) => compiler.sub(sub, `/${keyword}/${index}`))
  }
  const checks: Check[] = list('allOf') ?? []
  const anyOf = list('anyOf')
  if (anyOf !== undefined) checks.push(anyOfCheck(anyOf))
  const oneOf = list('oneOf')
  if (oneOf !== undefined) checks.push(oneOfCheck(oneOf))
  const not = schema['not'] ?? undefined
  if (not !== undefined) checks.push(notCheck(compiler.sub(not, '/not')))
  const condition = schema['if'] ?? undefined
  if (condition !== undefined) checks.push(conditionCheck(schema, condition, compiler))
  return [...checks, ...dependencyChecks(schema, path, compiler)]
}

function anyOfCheck(options: readonly Check[]): Check {
  const trials = options.map(toTrial)
  return (value, at, run) => {
    spend(run, trials.length)
    const reasons: (readonly ValidationIssue[])[] = []
    let fits = false
    for (const trial of trials) {
      const issues = trial(value, at, run)
      if (issues === undefined) fits = true
      else reasons.push(issues)
      // The other alternatives matter only for what they look at.
      if (fits && run.evaluated === undefined) return true
    }
    return fits || fail(run, at, `must fit one of the alternatives: ${describe(reasons)}`)
  }
}

function oneOfCheck(options: readonly Check[]): Check {
  const trials = options.map(toTrial)
  return (value, at, run) => {
    spend(run, trials.length)
    const reasons: (readonly ValidationIssue[])[] = []
    let count = 0
    for (const trial of trials) {
      const issues = trial(value, at, run)
      if (issues === undefined) count++
      else reasons.push(issues)
    }
    if (count === 1) return true
    return fail(run, at, `must fit exactly one of the alternatives${count === 0 ? `: ${describe(reasons)}` : ''}`)
  }
}

function notCheck(check: Check): Check {
  const trial = toTrial(check)
  return (value, at, run) => {
    const { evaluated } = run
    run.evaluated = undefined
    const issues = trial(value, at, run)
    run.evaluated = evaluated
    return issues !== undefined || fail(run, at, 'must not be of the excluded form')
  }
}

function conditionCheck(schema: SchemaObject, condition: unknown, compiler: Compiler): Check {
  const trial = toTrial(compiler.sub(condition, '/if'))
  const [then, otherwise] = ['then', 'else'].map(keyword => {
    const sub = schema[keyword] ?? undefined
    return sub === undefined ? undefined : compiler.sub(sub, `/${keyword}`)
  })
  return (value, at, run) => {
    spend(run, 1)
    const next = trial(value, at, run) === undefined ? then : otherwise
    return next === undefined || next(value, at, run)
  }
}

/** Compiles `dependentRequired`, `dependentSchemas`, and `dependencies`, which is both before 2019-09. */
function dependencyChecks(schema: SchemaObject, path: string, compiler: Compiler): Check[] {
  return ['dependentRequired', 'dependentSchemas', 'dependencies'].flatMap(keyword => {
    const given = schema[keyword] ?? {}
    if (!isRecord(given)) schemaFault(`${path}/${keyword}`, 'must be an object')
    return Object.entries(given).map(([key, needs]) => {
      const below = `/${keyword}/${escapeKey(key)}`
      const isNames = keyword === 'dependentRequired' || Array.isArray(needs)
      const check = isNames ? requiredCheck(namesOf(needs, path + below)) : compiler.sub(needs, below)
      return ((value, at, run) =>
        !isRecord(value) || !Object.hasOwn(value, key) || check(value, at, run)) satisfies Check
    })
  })
}

function describe(reasons: readonly (readonly ValidationIssue[])[]): string {
  const shown = reasons
    .slice(0, MOST_REASONS)
    .map(issues => issues.slice(0, MOST_REASONS).map(({ path, message }) => `${path} ${message}`.trim()))
    .map(sentences => sentences.join(' and '))
  return shorten(shown.join('; or '), MOST_CHARACTERS)
}
