import type { Config, ConfigSource, KeyPath } from '../schema/config.ts'
import type { ConfigData } from '../schema/config-schema.ts'
import { configSchema } from '../schema/config-schema.ts'
import { faultyKeys } from './check-schema.ts'
import type { Problem } from './problem.ts'
import { isFields, valueAt } from './value-at.ts'

/** A configuration with its problems, so that the names in its valid part can be checked too. */
export interface ConfigDraft extends Omit<Config, 'data'> {
  /** The valid part. `undefined` if nothing of the file can be used. */
  readonly data: ConfigData | undefined
  readonly source: ConfigSource
  readonly problems: readonly Problem[]
  /** Keys of the file that the valid part lacks. */
  readonly dropped: readonly KeyPath[]
}

/** The part of a file that matches the schema. */
export type ValidPart = Pick<ConfigDraft, 'data' | 'dropped'>

/**
 * Largest number of rounds in which invalid values are removed. After a removal, the parent may lack a required key, so
 * the next round removes the parent.
 */
const MAX_ROUNDS = 10

/** Removes what does not match the schema. */
export function validPartOf(value: unknown): ValidPart {
  const dropped: KeyPath[] = []
  const copy: unknown = structuredClone(value)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const parsed = configSchema.safeParse(copy)
    if (parsed.success) return { data: parsed.data, dropped }
    const keys = faultyKeys(copy)
    if (keys.some(key => key.length === 0)) break
    // All keys are translated before the first removal, and later items are removed first: a removal moves those after it.
    const written = keys.map(key => writtenKey(key, dropped))
    for (const key of keys.toSorted(laterFirst)) remove(copy, key)
    dropped.push(...written)
  }
  return { data: undefined, dropped }
}

/** Converts a key of the valid part to that of the file: removed items of lists count there. */
export function writtenKey(key: KeyPath, dropped: readonly KeyPath[]): KeyPath {
  return key.reduce<KeyPath>((above, part) => {
    if (typeof part !== 'number') return [...above, part]
    const removed = dropped.filter(gone => gone.length === above.length + 1 && startsWith(gone, above))
    const indexes = removed.flatMap(gone => gone.slice(-1)).filter(index => typeof index === 'number')
    return [...above, indexes.toSorted((a, b) => a - b).reduce((at, index) => (index <= at ? at + 1 : at), part)]
  }, [])
}

/** Whether a key is, or is below, another one. */
export function startsWith(key: KeyPath, start: KeyPath): boolean {
  return start.every((part, index) => key[index] === part)
}

function laterFirst(one: KeyPath, other: KeyPath): number {
  const at = one.findIndex((part, index) => part !== other[index])
  const [a, b] = [one[at], other[at]]
  return typeof a === 'number' && typeof b === 'number' ? b - a : other.length - one.length
}

function remove(value: unknown, key: KeyPath): void {
  const parent = valueAt(value, key.slice(0, -1))
  const last = key.at(-1)
  if (Array.isArray(parent) && typeof last === 'number') parent.splice(last, 1)
  else if (isFields(parent) && last !== undefined) delete (parent as Record<string, unknown>)[last]
}
