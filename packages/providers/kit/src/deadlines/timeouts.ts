/** How long each wait may take, in milliseconds. `Infinity` waits for ever. The one that ran out is named in the error. */
export interface Timeouts {
  /**
   * Until the response headers. `fetch` does not tell when it is connected, so this covers a busy server too; where
   * one JSON document is awaited, `firstByteMs` holds instead. @default 120_000
   */
  readonly connectMs?: number | undefined
  /** From the headers to the first byte of the answer. @default 300_000 */
  readonly firstByteMs?: number | undefined
  /** Between two pieces of the answer. @default 300_000 */
  readonly idleMs?: number | undefined
  /** For the whole call, with its retries and their waits. @default 1_800_000 */
  readonly totalMs?: number | undefined
}

export function withDefaults({
  connectMs = 120_000,
  firstByteMs = 300_000,
  idleMs = 300_000,
  totalMs = 1_800_000,
}: Timeouts): { [TName in keyof Timeouts]-?: number } {
  return { connectMs, firstByteMs, idleMs, totalMs }
}
