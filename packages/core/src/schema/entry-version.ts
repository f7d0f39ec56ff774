/** Version of the journal entries that this release writes. */
export const ENTRY_VERSION = 1
