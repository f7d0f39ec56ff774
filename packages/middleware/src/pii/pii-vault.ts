import type { PiiKind } from '@parley/core/masking'

/** Stores the values behind placeholders. It is synchronous, because text is masked while it streams. */
export interface PiiVault {
  /** Returns the placeholder of a value, such as `[EMAIL_1]`. It is the same for the same value in a partition. The value is stored when this returns. */
  token(partition: string, kind: PiiKind, value: string): string
  /** Returns the value behind a placeholder. `undefined` if the partition does not have the placeholder. */
  value(partition: string, token: string): string | undefined
  /** Removes a partition with all its values. Its placeholders can no longer be restored. */
  forget(partition: string): void
}
