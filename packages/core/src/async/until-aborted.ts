/**
 * Waits for `work` until `signal` is aborted. The work itself continues after an abort, and its rejection is handled.
 * @throws `signal.reason` if the signal is aborted first.
 */
export function untilAborted<TResult>(work: Promise<TResult>, signal: AbortSignal | undefined): Promise<TResult> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    const stopListening = (): void => signal.removeEventListener('abort', abort)
    work.then(
      result => {
        stopListening()
        resolve(result)
      },
      (error: unknown) => {
        stopListening()
        reject(error)
      },
    )
  })
}
