import { ParleyError } from '@parley/core'

export interface ExpandVariablesOptions {
  /** Path of the value for error messages. */
  readonly path: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

const VARIABLE = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

/**
 * Replaces `${NAME}`, `${env:NAME}` and `${NAME:-default}` in every string of a JSON value, but not in keys.
 * @throws ParleyError `config-invalid` with the path of a string whose variable is not set and has no default.
 */
export function expandVariables(value: unknown, { path, environment }: ExpandVariablesOptions): unknown {
  if (typeof value === 'string') {
    return value.replaceAll(VARIABLE, (_, name: string, fallback: string | undefined) => {
      const found = environment[name] ?? fallback
      if (found === undefined) {
        throw new ParleyError({
          code: 'config-invalid',
          path,
          detail: `requires the variable ${name}, which is not set`,
        })
      }
      return found
    })
  }
  if (typeof value !== 'object' || value === null) return value
  const expanded = Object.entries(value).map(([key, item]) => [
    key,
    expandVariables(item, { path: `${path}.${key}`, environment }),
  ])
  return Array.isArray(value) ? expanded.map(([, item]) => item) : Object.fromEntries(expanded)
}
