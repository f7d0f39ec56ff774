/** The journal version written by this release. Readers upgrade older ones. */
export const ENTRY_VERSION = 1
