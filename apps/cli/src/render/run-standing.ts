import type { Entry, EntryOf, RunStatus } from '@parley/core'
import type { Style } from './terminal.ts'

/** How a run stands, in words. */
export interface Standing {
  readonly words: string
  /** Color of the words. @default the color of other text */
  readonly color?: Style | undefined
}

/** Describes the status of a run. `newest` are the newest entries of its journal. */
export function standingOf(status: RunStatus, newest: readonly Entry[]): Standing {
  switch (status) {
    case 'running':
      return { words: 'running', color: 'cyan' }
    case 'suspended': {
      const last = newest.at(-1)
      return { words: last?.type === 'run.suspended' ? waitingFor(last) : 'suspended', color: 'yellow' }
    }
    case 'completed':
      return { words: 'completed', color: 'green' }
    case 'limit':
      return { words: 'stopped at a limit', color: 'red' }
    case 'cancelled':
      return { words: 'cancelled' }
    case 'rejected':
      return { words: 'rejected by a filter', color: 'red' }
    case 'failed':
      return { words: 'failed', color: 'red' }
  }
}

function waitingFor({ approvals, clientCalls = [], reason }: EntryOf<'run.suspended'>): string {
  const [approval] = approvals
  if (approval !== undefined) return `waits for approval of ${approval.name}${more(approvals.length)}`
  const [call] = clientCalls
  if (call !== undefined) return `waits for the client: ${call.name}${more(clientCalls.length)}`
  return reason === 'shutdown' ? 'interrupted by a shutdown' : 'suspended'
}

function more(count: number): string {
  return count > 1 ? ` and ${count - 1} more` : ''
}

/** The question that a run began with. Empty if it began without one, as a compaction does. */
export function questionOf(entries: readonly Entry[]): string {
  const asked = entries.find(entry => entry.type === 'message.appended' && entry.source === 'input')
  if (asked?.type !== 'message.appended' || asked.message.role !== 'user') return ''
  // The other parts are files that the user attached.
  const first = asked.message.content.find(part => part.type === 'text')
  return first?.text ?? ''
}
