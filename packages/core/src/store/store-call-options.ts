/** Options that every call of a store takes as its last parameter. */
export interface StoreCallOptions {
  /**
   * Stops the call. If the signal is aborted before the call, the call rejects with `signal.reason` and changes nothing.
   * If it is aborted during the call, the store may stop waiting and reject with `signal.reason`. Whether a write has
   * happened is then unknown to the caller, as after a lost connection. @default the call is not stopped
   */
  readonly signal?: AbortSignal | undefined
}

/** Options of `Store.read`. */
export interface ReadOptions extends StoreCallOptions {
  /** Number of the last entry that the reader has seen. @default 0 */
  readonly afterSeq?: number | undefined
  /** Largest number of entries in the result, from the first one after `afterSeq`. @default all */
  readonly limit?: number | undefined
}
