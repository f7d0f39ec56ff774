import type { RunFacts, RunProgress } from '@parley/core'
import type { Session } from './hook-signatures.ts'

/** The session of a run. Its lists are made when they are read. */
export function toSession({ sessionId, scope }: RunFacts, progress: RunProgress): Session {
  return {
    sessionId,
    scope,
    runs: progress.runs,
    get messages() {
      return progress.messages
    },
  }
}
