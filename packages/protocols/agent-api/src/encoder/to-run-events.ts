import type { Entry, RunEvent } from '@parley/core'

/** Turns the journal of a run into run events for an encoder. */
export function toRunEvents(runId: string, entries: readonly Entry[]): readonly RunEvent[] {
  const first = entries[0]
  const sessionId = first?.type === 'run.started' ? first.sessionId : ''
  return entries.map(entry => ({ ...entry, runId, sessionId, path: [] }))
}
