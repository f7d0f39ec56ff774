/** When a provider makes a model call again that failed before it showed anything, and how long it waits. */
export interface RetryPolicy {
  /** Tries after the first one. @default 2 */
  readonly maxRetries?: number | undefined
  /** The longest wait a server may ask for; when it asks for more, the call fails and its error says how much. @default 60_000 */
  readonly maxWaitMs?: number | undefined
  /** The wait after the first failure, where the server names none. @default 500 */
  readonly initialDelayMs?: number | undefined
  /** How waits grow: by `factor` each time, or by the first wait each time. @default 'exponential' */
  readonly backoff?: 'exponential' | 'linear' | undefined
  /** How many times as long each wait is as the one before; 1 makes them alike. Of exponential backoff alone. @default 2 */
  readonly factor?: number | undefined
  /** The longest of these waits. @default 8_000 */
  readonly maxDelayMs?: number | undefined
  /** The share of them that chance takes off, so that clients do not return together. @default 0.25 */
  readonly jitter?: number | undefined
}
