import { ParleyError } from '../errors/parley-error.ts'
import type { ValidationIssue } from '../schema/error-info.ts'

/** Returns whether a value fits. If it does not, adds the reasons to `issues`. */
export type Check = (value: unknown, path: string, issues: ValidationIssue[]) => boolean

/** Accepts every value. */
export const accept: Check = () => true

/** Adds an issue and returns `false`. */
export function fail(issues: ValidationIssue[], path: string, message: string): false {
  issues.push({ path, message })
  return false
}

/** Returns the JSON pointer of a member of the value at `path`. */
export function pointer(path: string, key: string | number): string {
  return `${path}/${typeof key === 'number' ? key : key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** Rejects a schema. @throws ParleyError `config-invalid` with the path of the fault in the schema. */
export function schemaFault(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path: path === '' ? 'schema' : path, detail })
}
