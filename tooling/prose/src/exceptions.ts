import type { Rule } from './violation.ts'

/**
 * A file in which one rule does not apply, and the reason. An exception that no longer prevents a report is itself a
 * violation.
 */
export interface Exception {
  readonly rule: Rule
  /** Path from the root of the repository. */
  readonly path: string
  readonly reason: string
}

export const EXCEPTIONS: readonly Exception[] = []
