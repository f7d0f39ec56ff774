import type { RunRecord } from '@parley/core'

/** A run of a session. */
export interface SessionRun extends RunRecord {
  /**
   * `session.agent.N`: the session, the agent with letters, digits and `-` only, and the number of the agent's run in the
   * session, from 1. Computed from the records.
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
