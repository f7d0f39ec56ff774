import { TurnoverMap } from '@parley/core'
import type { Run } from '@parley/engine'
import type { ServerLimits } from '../limits/server-limits.ts'
import { Problem } from '../problem/problem.ts'

interface LiveRun {
  readonly scope: string
  readonly run: Run
}

/** The runs that this server drives. A run continues when its reader leaves. */
export class LiveRuns {
  readonly #limits: Pick<ServerLimits, 'maxRuns' | 'maxRunsPerScope'>
  readonly #runs = new TurnoverMap<string, LiveRun>()
  /** Runs that were stopped because their clients left, or for the next message of the session. */
  readonly #stopping = new WeakSet<Run>()
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

  /** Rejects every later run. */
  close(): void {
    this.#closing = true
  }

  /**
   * Starts a run if the limits allow it and its session has no other run.
   * @throws Problem 409 if the session is busy, 429 or 503 if a limit is reached, and what `start` throws.
   */
  start(scope: string, sessionId: string | undefined, start: () => Run): Run {
    this.checkCapacity(scope)
    if (sessionId !== undefined && this.inSession(scope, sessionId) !== undefined) throw sessionBusy()
    return this.add(scope, start())
  }

  /** Tracks a run that has started, until it ends. */
  add(scope: string, run: Run): Run {
    const live = { scope, run }
    this.#runs.set(run.runId, live)
    void run.result.finally(() => {
      if (this.#runs.get(run.runId) === live) this.#runs.delete(run.runId)
    })
    return run
  }

  /** Finds a run by id, if this server drives it and it belongs to the scope. */
  find(scope: string, runId: string): Run | undefined {
    const live = this.#runs.get(runId)
    return live?.scope === scope ? live.run : undefined
  }

  /** Finds a run of the session that this server drives. */
  inSession(scope: string, sessionId: string): Run | undefined {
    for (const live of this.#runs.values())
      if (live.scope === scope && live.run.sessionId === sessionId) return live.run
    return undefined
  }

  /** Cancels a run because its client left or wants something else. Without effect if this server does not drive it. */
  stop(scope: string, runId: string): void {
    const run = this.find(scope, runId)
    if (run === undefined || this.#stopping.has(run)) return
    this.#stopping.add(run)
    void run.cancel({ kind: 'user', detail: 'The client disconnected or sent another message.' })
  }

  /** Whether `stop` was called for the run. */
  isStopping(runId: string): boolean {
    const run = this.#runs.get(runId)?.run
    return run !== undefined && this.#stopping.has(run)
  }

  /** Checks that another run may start. @throws Problem 429 or 503 if a limit is reached, 503 while the server shuts down. */
  checkCapacity(scope: string): void {
    if (this.#closing) {
      const message = 'The server is shutting down.'
      throw new Problem(503, 'SERVICE_UNAVAILABLE', { message, headers: { 'retry-after': '10' } })
    }
    const { maxRuns, maxRunsPerScope } = this.#limits
    if (this.#runs.size >= maxRuns) {
      const message = `The server has reached its limit of ${maxRuns} concurrent runs.`
      throw new Problem(503, 'SERVICE_UNAVAILABLE', { message, headers: { 'retry-after': '1' } })
    }
    if (maxRunsPerScope < maxRuns && this.#countOf(scope) >= maxRunsPerScope) {
      const message = `You have reached your limit of ${maxRunsPerScope} concurrent runs.`
      throw new Problem(429, 'RATE_LIMIT_EXCEEDED', { message, headers: { 'retry-after': '1' } })
    }
  }

  #countOf(scope: string): number {
    let count = 0
    for (const live of this.#runs.values()) if (live.scope === scope) count++
    return count
  }
}

/** Creates the error 409 for a request that would start a second unfinished run of a session. */
export function sessionBusy(): Problem {
  const message = 'The session has an unfinished run. Wait until it ends, or cancel it.'
  return new Problem(409, 'SESSION_BUSY', { message })
}
