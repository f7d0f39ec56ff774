/** Waits for `work` until `signal` aborts, then rejects with its reason. Does not stop the work itself. */
export async function abortable<TResult>(work: Promise<TResult>, signal: AbortSignal | undefined): Promise<TResult> {
  if (signal === undefined) return await work
  const aborted = Promise.withResolvers<never>()
  const onAbort = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
    // The promise that lost the race must not become an unhandled rejection.
    work.catch(() => {})
    aborted.promise.catch(() => {})
  }
}
