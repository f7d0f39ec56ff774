import type { PiiKind } from './pii-span.ts'

/** Remembers what stands behind a placeholder. Synchronous, because text is masked while it streams. */
export interface PiiVault {
  /** The placeholder of a value, `[EMAIL_1]`: within one partition the same for the same value. Kept when this returns. */
  token(partition: string, kind: PiiKind, value: string): string
  /** Undefined for a placeholder this partition does not have. */
  value(partition: string, token: string): string | undefined
  /** Removes a partition with all its values; its placeholders can be restored no more. */
  forget(partition: string): void
}
