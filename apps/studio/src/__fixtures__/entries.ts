import type { Entry, EntryType } from '@parley/core'

type Fields<TType extends EntryType> = Partial<Extract<Entry, { type: TType }>>

/** Makes entries with numbers in order. Fields that a test does not name are absent. */
export function entriesOf(...given: readonly (readonly [EntryType, number, object?])[]): readonly Entry[] {
  return given.map(([type, at, fields = {}], index) => ({ v: 1, seq: index + 1, at, type, ...fields }) as unknown as Entry)
}

/** The fields of an entry, checked by its type. */
export function fields<TType extends EntryType>(type: TType, at: number, given: Fields<TType> = {}): readonly [TType, number, object] {
  return [type, at, given]
}

export const USAGE = { input: 100, output: 20, reasoning: 0, cacheRead: 300, cacheWrite: 0 }
