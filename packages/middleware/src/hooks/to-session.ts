import type { Message, RunFacts, RunProgress } from '@parley/core'
import type { Session } from './hook-signatures.ts'

/** The session of a run. Its lists are made when they are read. */
export function toSession({ sessionId, scope }: RunFacts, progress: RunProgress): Session {
  return new ProgressSession(sessionId, scope, progress)
}

class ProgressSession implements Session {
  readonly sessionId: string
  readonly scope: string
  readonly runs: number
  readonly #progress: RunProgress

  constructor(sessionId: string, scope: string, progress: RunProgress) {
    this.sessionId = sessionId
    this.scope = scope
    this.runs = progress.runs
    this.#progress = progress
  }

  get messages(): readonly Message[] {
    return this.#progress.messages
  }
}
