import type { OptionKinds } from '@parley/core'
/**
 * Deadlines of a call, in milliseconds. `Infinity` means no limit. The error of a timeout names the deadline that
 * expired.
 */
export interface Timeouts {
  /**
   * Longest time from the request to the response headers. `fetch` does not report the connection itself, so this
   * includes the time that a busy server needs. For answers in one JSON document, `firstByteMs` applies instead.
   * @default 120_000
   */
  readonly connectMs?: number | undefined
  /** Longest time from the headers to the first byte of the answer. @default 300_000 */
  readonly firstByteMs?: number | undefined
  /** Longest time between two chunks of the answer. @default 300_000 */
  readonly idleMs?: number | undefined
  /** Longest time of the whole call, including retries and their waits. @default 1_800_000 */
  readonly totalMs?: number | undefined
}

/** The types of the deadlines, for `checkOptions`. */
export const TIMEOUTS: OptionKinds<Timeouts> = {
  connectMs: 'number',
  firstByteMs: 'number',
  idleMs: 'number',
  totalMs: 'number',
}

export function withDefaultTimeouts({
  connectMs = 120_000,
  firstByteMs = 300_000,
  idleMs = 300_000,
  totalMs = 1_800_000,
}: Timeouts): { [TName in keyof Timeouts]-?: number } {
  return { connectMs, firstByteMs, idleMs, totalMs }
}
