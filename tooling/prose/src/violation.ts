/** The name of a rule, as reports show it and exceptions use it. */
export type Rule =
  | 'actor'
  | 'is-no'
  | 'go-on'
  | 'let-go'
  | 'take-up'
  | 'leave-word'
  | 'last-word'
  | 'came-of'
  | 'again'
  | 'concurrently'
  | 'instead-of'
  | 'fragment'
  | 'vocabulary'
  | 'test-name'
  | 'exception'

/** One place that breaks a rule. */
export interface Violation {
  readonly rule: Rule
  /** Path from the root of the repository. */
  readonly file: string
  /** Line number, counted from 1. */
  readonly line: number
  /** The words found. */
  readonly found: string
  readonly remedy: string
}

/** Returns `file:line  rule  "words"  remedy`. Editors open the file from the first part. */
export function formatViolation({ rule, file, line, found, remedy }: Violation): string {
  return `${file}:${line}  ${rule}  ${found}  ${remedy}`
}
