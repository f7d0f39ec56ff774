import type { RunsAccess } from '@parley/runs-api'

const LEVELS: readonly (RunsAccess | undefined)[] = [undefined, 'viewer', 'operator', 'admin']

/** What access to the Runs API may be in options. */
export const RUNS_ACCESS = ['viewer', 'operator', 'admin'] as const

/** Whether a client with this access may do what requires `needed`. */
export function hasAccess(access: RunsAccess | undefined, needed: RunsAccess): boolean {
  return LEVELS.indexOf(access) >= LEVELS.indexOf(needed)
}

/** The smaller access of two. */
export function lowerAccess(a: RunsAccess | undefined, b: RunsAccess | undefined): RunsAccess | undefined {
  return LEVELS[Math.min(LEVELS.indexOf(a), LEVELS.indexOf(b))]
}

/** Returns the access that a text names. `undefined` for any other value. */
export function toAccess(value: unknown): RunsAccess | undefined {
  return RUNS_ACCESS.find(access => access === value)
}
