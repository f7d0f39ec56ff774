import type { Run } from '@parley/engine'
import { Problem } from '../problem/problem.ts'
import type { ServerLimits } from '../limits/server-limits.ts'

interface LiveRun {
  readonly scope: string
  readonly run: Run
}

/** The runs this server drives. A reader that leaves does not end one. */
export class LiveRuns {
  readonly #limits: Pick<ServerLimits, 'maxRuns' | 'maxRunsPerScope'>
  readonly #runs = new Map<string, LiveRun>()
  #closing = false

  constructor(limits: Pick<ServerLimits, 'maxRuns' | 'maxRunsPerScope'>) {
    this.#limits = limits
  }

  get count(): number {
    return this.#runs.size
  }

  get closing(): boolean {
    return this.#closing
  }

  /** From now on no run begins. */
  close(): void {
    this.#closing = true
  }

  /**
   * Begins a run, if there is room for one and its session has none.
   * @throws Problem 409, 429, 503, and what `begin` throws.
   */
  start(scope: string, sessionId: string | undefined, begin: () => Run): Run {
    this.checkRoom(scope)
    if (sessionId !== undefined) this.#checkSession(scope, sessionId)
    return this.adopt(scope, begin())
  }

  /** Keeps a run that has begun in sight until it ends. */
  adopt(scope: string, run: Run): Run {
    const live = { scope, run }
    this.#runs.set(run.runId, live)
    void run.result.finally(() => {
      if (this.#runs.get(run.runId) === live) this.#runs.delete(run.runId)
    })
    return run
  }

  /** The run, if it is live and of that scope. */
  find(scope: string, runId: string): Run | undefined {
    const live = this.#runs.get(runId)
    return live?.scope === scope ? live.run : undefined
  }

  /** @throws Problem 429, 503. */
  checkRoom(scope: string): void {
    if (this.#closing) {
      const message = 'The server is shutting down.'
      throw new Problem(503, 'SERVICE_UNAVAILABLE', { message, headers: { 'retry-after': '10' } })
    }
    const { maxRuns, maxRunsPerScope } = this.#limits
    if (this.#runs.size >= maxRuns) {
      const message = `The server has ${maxRuns} runs already.`
      throw new Problem(503, 'SERVICE_UNAVAILABLE', { message, headers: { 'retry-after': '1' } })
    }
    if (maxRunsPerScope < maxRuns && this.#countOf(scope) >= maxRunsPerScope) {
      const message = `You have ${maxRunsPerScope} runs already.`
      throw new Problem(429, 'RATE_LIMIT_EXCEEDED', { message, headers: { 'retry-after': '1' } })
    }
  }

  #countOf(scope: string): number {
    let count = 0
    for (const live of this.#runs.values()) if (live.scope === scope) count++
    return count
  }

  #checkSession(scope: string, sessionId: string): void {
    for (const live of this.#runs.values()) {
      if (live.scope === scope && live.run.sessionId === sessionId) throw sessionBusy()
    }
  }
}

/** One session, one run at a time. */
export function sessionBusy(): Problem {
  return new Problem(409, 'SESSION_BUSY', { message: 'A run of that session goes on; wait for it or cancel it.' })
}
