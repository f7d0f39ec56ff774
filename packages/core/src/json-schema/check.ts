import { ParleyError } from '../errors/parley-error.ts'
import { OutOfSteps, spend, type Work } from '../pattern/work.ts'
import type { ValidationIssue } from '../schema/error-info.ts'
import type { DynamicScope } from './dynamic-scope.ts'
import type { Evaluated } from './evaluated.ts'

/** One validation. */
export interface Run extends Work {
  issues: ValidationIssue[]
  /** References that are being followed. */
  depth: number
  /** Parts of the value that keywords have looked at. `undefined` unless an `unevaluated…` keyword needs them. */
  evaluated: Evaluated | undefined
  /** The schema resources that were entered. `undefined` unless the schema has dynamic references. */
  scope: DynamicScope | undefined
}

/** Returns whether a value fits. If it does not, adds the reasons to the issues of the run. */
export type Check = (value: unknown, path: string, run: Run) => boolean

/** Accepts every value. */
export const accept: Check = () => true

/** Largest number of issues of one value. The model reads all of them, and further ones would not help it. */
const MOST_ISSUES = 50

/** Adds an issue and returns `false`. */
export function fail(run: Run, path: string, message: string): false {
  spend(run, 20)
  if (run.issues.length < MOST_ISSUES) run.issues.push({ path, message })
  return false
}

/** Returns the JSON pointer of a member of the value at `path`. */
export function pointer(path: string, key: string | number): string {
  return `${path}/${typeof key === 'number' ? key : escapeKey(key)}`
}

/** Escapes a name for a JSON pointer. */
export function escapeKey(key: string): string {
  return key.includes('~') || key.includes('/') ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key
}

/** Rejects a schema. @throws ParleyError `config-invalid` with the path of the fault in the schema. */
export function schemaFault(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path: path === '' ? 'schema' : path, detail })
}

/** Returns a message for an error that stopped a check before its end, or `undefined` for any other error. */
export function unchecked(error: unknown): string | undefined {
  if (error instanceof OutOfSteps) return 'cannot be checked: the schema demands too much work for this value'
  // The stack is used up.
  if (error instanceof RangeError) return 'cannot be checked: it is nested too deeply'
  return undefined
}
