import type { Problem } from './problem.ts'

/**
 * Largest number of levels in a configuration. No configuration nests deeper. A deeper value could overflow the stack
 * of what reads it.
 */
const MOST_DEPTH = 100

/** The problem of a text that nests its values too deeply. */
export const tooDeep: Problem = { key: [], detail: `is nested more than ${MOST_DEPTH} levels deep` }

/** Whether a parsed value is too deep for a configuration. */
export function isNestedTooDeeply(value: unknown): boolean {
  let level: readonly unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MOST_DEPTH) return true
    level = level.flatMap(item => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  }
  return false
}
