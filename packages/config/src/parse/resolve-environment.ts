import type { KeyPath } from '../config.ts'
import type { Problem } from './problem.ts'

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

export interface ResolvedEnvironment {
  readonly value: unknown
  /** One for each variable that is not set. */
  readonly problems: readonly Problem[]
  /** What was put in. */
  readonly secrets: ReadonlySet<string>
}

const REFERENCE = /\$?\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

/**
 * Replaces `${NAME}`, `${env:NAME}` and `${NAME:-default}` in every string of a parsed value, keys excepted; the default is
 * also for a variable that is empty. `$${NAME}` is a literal `${NAME}`. What is put in is not looked at again, and cannot
 * change the value's shape.
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
      // The default stands in the file for everybody to see.
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
