import type { Entry, EntryType } from '@parley/core'

/**
 * Types of entries that do not count as progress: those that an attempt writes before any work is done, and those about
 * queued messages.
 */
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
 * Whether an entry shows that the run made progress. After a crash, a run repeats its work from the last such entry. So
 * a run that is resumed several times without a new one repeats the same work.
 */
export function isProgress({ type }: Entry): boolean {
  return !NO_PROGRESS.has(type)
}
