import type { Entry, EntryOf, ErrorInfo } from '@parley/core'

type Envelope = 'v' | 'seq' | 'at'
type Spending = Omit<EntryOf<'model.failed'>, Envelope> | Omit<EntryOf<'agent.ended'>, Envelope>

/**
 * Returns the entries with which a run ends as failed, without the last one, `run.ended`. They keep the usage and cost
 * of the entries that were dropped.
 */
export function failedEntries(
  dropped: readonly Entry[],
  error: ErrorInfo,
): readonly (Spending | Omit<EntryOf<'run.failed'>, Envelope>)[] {
  const spent = dropped.flatMap(entry => {
    const body = spending(entry, error)
    return body === undefined ? [] : [body]
  })
  return [...spent, { type: 'run.failed', error }]
}

function spending(entry: Entry, error: ErrorInfo): Spending | undefined {
  if (entry.type === 'agent.ended') {
    const { callId, childRunId, outcome, usage, cost, turns } = entry
    const given = cost === undefined ? {} : { cost }
    return { type: 'agent.ended', callId, childRunId, outcome, text: '', usage, ...given, turns }
  }
  if (entry.type !== 'model.called' && entry.type !== 'model.failed') return undefined
  const { turn, model, usage, cost, durationMs } = entry
  return { type: 'model.failed', turn, model, error, usage, ...(cost === undefined ? {} : { cost }), durationMs }
}
