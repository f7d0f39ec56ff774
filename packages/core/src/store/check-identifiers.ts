import { ParleyError } from '../errors/parley-error.ts'
import type { Store } from './store.ts'

/** Names of the fields and arguments by which a store finds what it keeps. */
const IDENTIFIERS: ReadonlySet<string> = new Set([
  'agent',
  'id',
  'name',
  'owner',
  'parent',
  'runId',
  'scope',
  'sessionHead',
  'sessionId',
  'subscriber',
  'worker',
])

/**
 * Checks the ids and names among the fields of a value. PostgreSQL has no text with the character U+0000, and UTF-8 cannot encode half
 * of a surrogate pair, so that two different ids would become the same.
 * @throws ParleyError `request-invalid` with the name of the field.
 */
export function checkIdentifiers(fields: object): void {
  for (const path in fields) {
    const value = (fields as Readonly<Record<string, unknown>>)[path]
    if (typeof value === 'string' && IDENTIFIERS.has(path)) checkIdentifier(path, value)
  }
}

/** Adds the check of ids and names to each call of a store and its parts, so that every store refuses the same ones. */
export function withCheckedIdentifiers(store: Store): Store {
  const checked = { ...withChecks(store) }
  for (const [key, part] of Object.entries(store))
    if (typeof part === 'object' && part !== null) Object.assign(checked, { [key]: withChecks(part as object) })
  return checked
}

function withChecks<TPart extends object>(part: TPart): TPart {
  const calls = (Object.entries(part) as [string, unknown][]).flatMap(([key, call]) => {
    if (typeof call !== 'function') return []
    return [[key, (...given: unknown[]) => refused(given) ?? Reflect.apply(call, part, given)] as const]
  })
  return { ...part, ...Object.fromEntries(calls) }
}

function refused(given: readonly unknown[]): Promise<never> | undefined {
  try {
    for (const argument of given) {
      if (typeof argument === 'string') checkIdentifier('id', argument)
      if (typeof argument !== 'object' || argument === null) continue
      checkIdentifiers(argument)
      if (Array.isArray(argument)) for (const item of argument) checkIdentifiers(item as object)
      if ('counts' in argument && Array.isArray(argument.counts))
        for (const count of argument.counts) checkIdentifiers(count as object)
      if ('entries' in argument && Array.isArray(argument.entries)) checkFirst(argument.entries[0])
    }
    return undefined
  } catch (error) {
    return Promise.reject(error)
  }
}

/**
 * Checks the identifiers in the first entry of a run, because the store copies them to the columns of the run's record.
 */
function checkFirst(entry: unknown): void {
  if (typeof entry === 'object' && entry !== null && 'type' in entry && entry.type === 'run.started')
    checkIdentifiers(entry)
}

function checkIdentifier(path: string, value: string): void {
  if (!value.includes('\0') && value.isWellFormed()) return
  const detail = 'must not contain the character U+0000 or half of a surrogate pair'
  throw new ParleyError({ code: 'request-invalid', path, detail })
}
