import type { CancelReason } from '@parley/core'
import { onAbort } from '../run-context/on-abort.ts'

/** Calls `cancel` when the signal is aborted. Returns a function that removes the listener. */
export function linkSignal(signal: AbortSignal | undefined, cancel: (reason: CancelReason) => void): () => void {
  return onAbort(signal, reason => cancel(reasonOf(reason)))
}

function reasonOf(reason: unknown): CancelReason {
  const name = reason instanceof Error ? reason.name : ''
  if (name === 'TimeoutError') return { kind: 'timeout' }
  if (name === 'AbortError' || !(reason instanceof Error)) return { kind: 'user' }
  return { kind: 'user', detail: reason.message }
}
