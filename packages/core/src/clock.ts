/** Where time comes from. The engine touches no other clock. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls back once after `ms`; the process stays alive until then. Returns the way to call it off. */
  after(ms: number, callback: () => void): () => void
}
