/** The name of a rule, as reports show it and exceptions use it. */
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
  | 'kept-alive'
  | 'steady'
  | 'cycle'
  | 'floor'
  | 'room'
  | 'contract'
  | 'class'
  | 'exception'

/** A place that breaks a rule, and how to repair it. */
export interface Violation {
  readonly rule: Rule
  /** Path from the root of the repository. */
  readonly file: string
  /** Line number, counted from 1. */
  readonly line: number
  readonly message: string
}

/** Returns `file:line  rule  message`. Editors open the file from the first part. */
export function formatViolation({ rule, file, line, message }: Violation): string {
  return `${file}:${line}  ${rule}  ${message}`
}
