import { ParleyError } from '../errors/parley-error.ts'
import type { ValidationIssue } from '../schema/error-info.ts'

/** Tells whether a value fits; when it does not and `issues` is given, adds why. */
export type Check = (value: unknown, path: string, issues: ValidationIssue[]) => boolean

export const accept: Check = () => true

export function fail(issues: ValidationIssue[], path: string, message: string): false {
  issues.push({ path, message })
  return false
}

/** The JSON pointer of a member of the value at `path`. */
export function pointer(path: string, key: string | number): string {
  return `${path}/${typeof key === 'number' ? key : key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** @throws ParleyError `config-invalid` with the place of the fault in the schema. */
export function schemaFault(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path: path === '' ? 'schema' : path, detail })
}
