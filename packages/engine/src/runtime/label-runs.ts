import type { RunRecord } from '@parley/core'

/** A run among those of its session. */
export interface SessionRun extends RunRecord {
  /**
   * `session.agent.N`: the N-th run of that agent among those the session has, from 1. Letters, digits and `-` of the agent's name alone.
   * Made from the records, so that it is kept nowhere.
   */
  readonly label: string
}

/** The runs of one session, oldest first, with their labels. */
export function labelRuns(runs: readonly RunRecord[]): readonly SessionRun[] {
  const counts = new Map<string, number>()
  return runs.map(run => {
    const agent = run.agent.replaceAll(/[^\p{L}\p{N}-]+/gu, '-')
    const count = (counts.get(agent) ?? 0) + 1
    counts.set(agent, count)
    return { ...run, label: `${run.sessionId}.${agent}.${count}` }
  })
}
