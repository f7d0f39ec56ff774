/** When and how long a provider waits before it repeats a failed model call. Only calls without output are repeated. */
export interface RetryPolicy {
  /** Number of attempts after the first. @default 2 */
  readonly maxRetries?: number | undefined
  /**
   * Longest wait that a server may request, in milliseconds. If a server requests a longer one, the call fails at once
   * and its error has `retryAfterMs`. @default 60_000
   */
  readonly maxWaitMs?: number | undefined
  /** Wait after the first failure, in milliseconds, if the server requests none. @default 500 */
  readonly initialDelayMs?: number | undefined
  /**
   * How the wait grows after each failure: `exponential` multiplies it by `factor`, `linear` adds `initialDelayMs`.
   * @default 'exponential'
   */
  readonly backoff?: 'exponential' | 'linear' | undefined
  /** Factor of the exponential growth. With 1, all waits are equal. @default 2 */
  readonly factor?: number | undefined
  /** Longest wait in milliseconds if the server requests none. @default 8_000 */
  readonly maxDelayMs?: number | undefined
  /**
   * Largest share of a wait, from 0 to 1, that is subtracted at random. This prevents clients from retrying at the same
   * time. @default 0.25
   */
  readonly jitter?: number | undefined
}
