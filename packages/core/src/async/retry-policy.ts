/** When and how long a provider waits before it repeats a failed model call. Only calls without output are repeated. */
export interface RetryPolicy {
  /** Number of attempts after the first. @default 2 */
  readonly maxRetries?: number | undefined
  /** Longest wait in milliseconds that a server may request. If it requests more, the call fails with `retryAfterMs`. @default 60_000 */
  readonly maxWaitMs?: number | undefined
  /** Wait in milliseconds after the first failure if the server requests none. @default 500 */
  readonly initialDelayMs?: number | undefined
  /** How waits grow: `exponential` multiplies each by `factor`, `linear` adds `initialDelayMs`. @default 'exponential' */
  readonly backoff?: 'exponential' | 'linear' | undefined
  /** Growth of exponential waits; 1 keeps them equal. @default 2 */
  readonly factor?: number | undefined
  /** Longest of these waits in milliseconds. @default 8_000 */
  readonly maxDelayMs?: number | undefined
  /** Largest share of a wait, from 0 to 1, that is randomly subtracted, so that clients do not retry together. @default 0.25 */
  readonly jitter?: number | undefined
}
