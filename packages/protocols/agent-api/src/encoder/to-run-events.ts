import type { Entry, RunEvent } from '@parley/core'

/** A run's journal as its watchers would have seen it, for an encoder. */
export function toRunEvents(runId: string, entries: readonly Entry[]): readonly RunEvent[] {
  const first = entries[0]
  const sessionId = first?.type === 'run.started' ? first.sessionId : ''
  return entries.map(entry => ({ ...entry, runId, sessionId, path: [] }))
}
