import { ParleyError, type Message, type Store } from '@parley/core'
import { loadRun } from '@parley/engine/journal'
import { loadRunHistory, type RunHistory } from '../history/load-run-history.ts'
import type { Cassette } from '../recordings/cassette.ts'
import { loadRunCassette } from '../recordings/load-run-cassette.ts'

/** A recorded run with everything that a replay needs. It is JSON. */
export interface RunRecording {
  readonly history: RunHistory
  readonly cassette: Cassette
  /** The transcript that the run continued. */
  readonly base: readonly Message[]
}

/**
 * Reads a run for `replayRun`. Credentials are removed.
 * @throws ParleyError `run-unknown`, `store-…`; `config-invalid` for a run that did not end by itself.
 */
export async function loadRunRecording(store: Store, runId: string): Promise<RunRecording> {
  const history = await loadRunHistory(store, runId)
  const ended = history.runs[0]?.entries.find(entry => entry.type === 'run.ended')
  const cassette = await loadRunCassette(store, runId, { personalData: [] })
  const isStopped = cassette.calls.some(({ end }) => end === 'stopped')
  if (ended === undefined || ended.outcome.status === 'cancelled' || isStopped) {
    const how = ended === undefined ? 'has not ended' : 'was stopped from outside'
    const detail = `run '${runId}' ${how}, so it cannot be repeated; choose a run that ended by itself`
    throw new ParleyError({ code: 'config-invalid', path: 'run', detail })
  }
  const { transcript } = await loadRun(store, runId, 1)
  return { history, cassette, base: transcript.toArray() }
}
