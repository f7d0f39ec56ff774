import type { Facts } from './facts.ts'

/** How what a call did differs from what it does in a run that was not killed. */
export interface EffectDifference {
  readonly extra: readonly string[]
  readonly missing: readonly string[]
  /** Facts with other numbers in them, as pairs: what it should be, and what it is. */
  readonly changed: readonly (readonly [expected: string, found: string])[]
}

/**
 * Compares facts with those of two runs that were not killed. What differs between those two, such as times and random ids, is
 * compared without its digits, or only by its number.
 */
export function compareEffects(clean: readonly [Facts, Facts], found: Facts): EffectDifference {
  const extra: string[] = []
  const missing: string[] = []
  const groups = new Set([...clean, found].flatMap(facts => Object.keys(facts).map(placeOf)))
  for (const group of groups) {
    const [one, other, now] = [clean[0], clean[1], found].map(facts => inGroup(facts, group)) as [Facts, Facts, Facts]
    const level = LEVELS.find(each => isSame(atLevel(one, each), atLevel(other, each)))
    // Even the number of facts differs between two runs that were not killed.
    if (level === undefined) continue
    const expected = atLevel(one, level)
    const seen = atLevel(now, level)
    for (const fact of new Set([...Object.keys(expected), ...Object.keys(seen)])) {
      const [is = 0, was = 0] = [seen[fact], expected[fact]]
      // An account that is debited twice has a larger change, too.
      if (Math.abs(is - was) > 1e-9) (Math.abs(is) > Math.abs(was) ? extra : missing).push(fact)
    }
  }
  return pairUp(extra, missing)
}

/** Whether there is no difference. */
export function isSameEffect({ extra, missing, changed }: EffectDifference): boolean {
  return extra.length + missing.length + changed.length === 0
}

type Level = (fact: string) => string

const LEVELS: readonly Level[] = [fact => fact, mask, placeOf]

/** Replaces what is different in each run: ids, digests and numbers. */
function mask(fact: string): string {
  return fact
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '#')
    .replaceAll(/\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/gi, '#')
    .replaceAll(/\d+/g, '#')
}

function placeOf(fact: string): string {
  return mask(fact.split('\t')[0] ?? '')
}

function inGroup(facts: Facts, group: string): Facts {
  return Object.fromEntries(Object.entries(facts).filter(([fact]) => placeOf(fact) === group))
}

function atLevel(facts: Facts, level: Level): Facts {
  const mapped: Record<string, number> = {}
  for (const [fact, count] of Object.entries(facts)) mapped[level(fact)] = (mapped[level(fact)] ?? 0) + count
  for (const [fact, count] of Object.entries(mapped)) if (count === 0) delete mapped[fact]
  return mapped
}

function isSame(one: Facts, other: Facts): boolean {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every(name => one[name] === other[name])
}

/** A counter in a file that is 2 instead of 1 has a fact too many and one too few: it is one fact that changed. */
function pairUp(extra: readonly string[], missing: readonly string[]): EffectDifference {
  const left = [...missing]
  const changed: [string, string][] = []
  const alone = extra.filter(found => {
    const at = left.findIndex(expected => mask(expected) === mask(found))
    const [expected] = at < 0 ? [] : left.splice(at, 1)
    if (expected !== undefined) changed.push([expected, found])
    return expected === undefined
  })
  return { extra: alone, missing: left, changed }
}
