import type { Entry } from '@parley/core'

/**
 * Returns the entries before `fromSeq` that an encoder reads. The results of earlier calls, which may be large, are not kept in
 * memory.
 */
export function priorEntries(entries: readonly Entry[], fromSeq: number): readonly Entry[] {
  return entries.filter(entry => entry.seq < fromSeq && isRead(entry))
}

function isRead(entry: Entry): boolean {
  if (entry.type === 'message.appended') return entry.message.role === 'assistant'
  return entry.type === 'run.started' || entry.type === 'approval.requested'
}
