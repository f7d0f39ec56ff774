import type { KeyPath } from '../schema/config.ts'
import type { Problem } from './problem.ts'

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

export interface ResolvedEnvironment {
  /** The value with its references replaced. */
  readonly value: unknown
  /** One problem for each variable that is not set. */
  readonly problems: readonly Problem[]
  /** The values that replaced references. */
  readonly secrets: ReadonlySet<string>
}

const REFERENCE = /\$?\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

/**
 * Replaces `${NAME}`, `${env:NAME}` and `${NAME:-default}` in every string of a parsed value, but not in keys. The default also
 * replaces an empty variable. `$${NAME}` is a literal `${NAME}`. Inserted values are not scanned for references, and cannot change
 * the shape of the data.
 */
export function resolveEnvironment(value: unknown, environment: Environment): ResolvedEnvironment {
  const problems: Problem[] = []
  const secrets = new Set<string>()

  function resolve(text: string, key: KeyPath): string {
    return text.replaceAll(REFERENCE, (whole, name: string, fallback: string | undefined) => {
      if (whole.startsWith('$$')) return whole.slice(1)
      const set = Object.hasOwn(environment, name) ? environment[name] : undefined
      const found = fallback === undefined ? set : set || fallback
      if (found === undefined)
        problems.push({ key, detail: `names the environment variable ${name}, which is not set` })
      // A default is written in the file, so it is not a secret.
      else if (found !== fallback && found !== '') secrets.add(found)
      return found ?? ''
    })
  }

  function visit(item: unknown, key: KeyPath): unknown {
    if (typeof item === 'string') return resolve(item, key)
    if (Array.isArray(item)) return item.map((each, index) => visit(each, [...key, index]))
    if (typeof item !== 'object' || item === null) return item
    return Object.fromEntries(Object.entries(item).map(([name, each]) => [name, visit(each, [...key, name])]))
  }
  return { value: visit(value, []), problems, secrets }
}
