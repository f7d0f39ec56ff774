/** The name of a rule, as it is shown and as an exception names it. */
export type Rule =
  | 'place'
  | 'arrow'
  | 'deep-import'
  | 'undeclared'
  | 'testing-is-dev'
  | 'node-builtin'
  | 'zod'
  | 'file-name'
  | 'export-all'
  | 'vi-mock'
  | 'ambient'
  | 'exception'

/** One breach: which rule, where, and what to do. */
export interface Violation {
  readonly rule: Rule
  /** Path from the root of the repository. */
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly message: string
}

/** `file:line  rule  message`, so that an editor can jump to it. */
export function formatViolation({ rule, file, line, message }: Violation): string {
  return `${file}:${line}  ${rule}  ${message}`
}
