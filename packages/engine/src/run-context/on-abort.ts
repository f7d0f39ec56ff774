/** Calls `listener` when the signal is aborted; at once when it already is. Returns the way to stop listening. */
export function onAbort(signal: AbortSignal | undefined, listener: (reason: unknown) => void): () => void {
  if (signal === undefined) return () => {}
  const hear = (): void => listener(signal.reason)
  if (signal.aborted) hear()
  else signal.addEventListener('abort', hear, { once: true })
  return () => signal.removeEventListener('abort', hear)
}
