/** Calls `listener` when the signal is aborted, or at once if it already is. Returns a function that removes the listener. */
export function onAbort(signal: AbortSignal | undefined, listener: (reason: unknown) => void): () => void {
  if (signal === undefined) return () => {}
  const hear = (): void => listener(signal.reason)
  if (signal.aborted) hear()
  else signal.addEventListener('abort', hear, { once: true })
  return () => signal.removeEventListener('abort', hear)
}
