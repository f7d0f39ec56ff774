import type { Entry, EntryOf, EntryType } from '@parley/core'

/** What to do with an entry, by its type. Entries of other types are skipped. */
export type ByType<TDraft> = { readonly [TType in EntryType]?: (draft: TDraft, entry: EntryOf<TType>) => void }

/** Does what the table says for the type of the entry. */
export function applyEntry<TDraft>(table: ByType<TDraft>, draft: TDraft, entry: Entry): void {
  const apply = table[entry.type] as ((draft: TDraft, entry: Entry) => void) | undefined
  apply?.(draft, entry)
}
