/** How long each wait may take, in milliseconds. `Infinity` waits without limit. The error names the deadline that expired. */
export interface Timeouts {
  /**
   * From the request to the response headers. `fetch` does not report the connection itself, so this includes the time
   * that a busy server takes. For answers in one JSON document, `firstByteMs` applies instead. @default 120_000
   */
  readonly connectMs?: number | undefined
  /** From the headers to the first byte of the answer. @default 300_000 */
  readonly firstByteMs?: number | undefined
  /** Between two chunks of the answer. @default 300_000 */
  readonly idleMs?: number | undefined
  /** The whole call, with its retries and their waits. @default 1_800_000 */
  readonly totalMs?: number | undefined
}

export function withDefaultTimeouts({
  connectMs = 120_000,
  firstByteMs = 300_000,
  idleMs = 300_000,
  totalMs = 1_800_000,
}: Timeouts): { [TName in keyof Timeouts]-?: number } {
  return { connectMs, firstByteMs, idleMs, totalMs }
}
