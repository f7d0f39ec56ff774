import type { McpEvent } from '@parley/core'
import { callListener } from '../call-listener.ts'

/** Passes events to listeners. Keeps the newest events until the first listener gets them. */
export interface EventLog {
  emit(event: McpEvent): void
  /** Calls `listener` with each event. @returns A function that removes the listener. */
  onEvent(listener: (event: McpEvent) => void): () => void
}

const MAX_KEPT = 100

export function createEventLog(): EventLog {
  const listeners = new Set<(event: McpEvent) => void>()
  // A server starts before the runtime that listens to it exists.
  let kept: McpEvent[] | undefined = []
  return {
    emit(event) {
      if (kept !== undefined) {
        kept.push(event)
        if (kept.length > MAX_KEPT) kept.shift()
      }
      for (const listener of listeners) callListener(() => listener(event))
    },
    onEvent(listener) {
      for (const event of kept ?? []) callListener(() => listener(event))
      kept = undefined
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
