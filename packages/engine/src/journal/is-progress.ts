import type { Entry, EntryType } from '@parley/core'

/** Entries that an attempt writes before it has done anything, and messages that wait. */
const NO_PROGRESS: ReadonlySet<EntryType> = new Set([
  'run.resumed',
  'tool.started',
  'agent.started',
  'request.kept',
  'input.queued',
  'input.dropped',
  'input.filtered',
])

/**
 * Whether a run has come further with this entry. A crash repeats what follows the last such entry, so a run that is resumed again
 * and again without one repeats the same work.
 */
export function isProgress({ type }: Entry): boolean {
  return !NO_PROGRESS.has(type)
}
