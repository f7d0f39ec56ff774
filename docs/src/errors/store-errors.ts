import type { ErrorEntry } from './error-entry.ts'

/** Failures of stores. */
export const STORE_ERRORS = {
  'store-conflict': {
    cause: 'Another writer has appended to the run first.',
    remedy: 'Read the run again. The engine handles this error itself; a writer of your own must claim the run.',
  },
  'store-fenced': {
    cause: 'Another worker has taken over the run, so the store rejects the entries of the former worker.',
    remedy:
      'Nothing: the new worker continues the run. If it happens to live workers, raise `leaseMs`, because heartbeats come too late.',
  },
  'inbox-unread': {
    cause: 'A run tried to end or suspend while its inbox has commands that it has not taken.',
    remedy: 'Nothing: the engine takes the commands and tries again.',
  },
  'store-unavailable': {
    cause: 'The database cannot be reached or used, and the time for retries has passed.',
    remedy: 'Read `detail`. Check the address, the permissions and the disk. Runs are released and can be resumed.',
  },
  'store-corrupt': {
    cause: 'The database or an entry is damaged.',
    remedy: 'Restore a backup. `backUpSqliteStore` and `parley backup` check each copy that they make.',
  },
  'store-newer': {
    cause: 'A newer release of Parley wrote the store.',
    remedy: 'Update Parley in every process that uses the store.',
  },
} satisfies Record<string, ErrorEntry>
