import type { CancelReason } from '@parley/core'

/** Cancels with a caller's signal. Returns the way to stop listening. */
export function linkSignal(signal: AbortSignal | undefined, cancel: (reason: CancelReason) => void): () => void {
  if (signal === undefined) return () => {}
  const onAbort = (): void => cancel(reasonOf(signal.reason))
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  return () => signal.removeEventListener('abort', onAbort)
}

function reasonOf(reason: unknown): CancelReason {
  const name = reason instanceof Error ? reason.name : ''
  if (name === 'TimeoutError') return { kind: 'timeout' }
  if (name === 'AbortError' || !(reason instanceof Error)) return { kind: 'user' }
  return { kind: 'user', detail: reason.message }
}
