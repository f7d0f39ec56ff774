import type { Entry } from '../schema/entry.ts'

/**
 * Whether nobody drives the run after this entry, so that none may come while its inbox has items. A run that is let go to
 * be resumed is no such case: whoever resumes it reads them.
 */
export function isTerminalEntry(entry: Entry): boolean {
  return entry.type === 'run.ended' || (entry.type === 'run.suspended' && entry.reason === undefined)
}
