import { ParleyError, TurnoverMap } from '@parley/core'
import type { Requests } from '../journal/pending-request.ts'
import { createInboxWaker, type InboxWaker } from './inbox-waker.ts'
import { reportUnread } from './report-unread.ts'
import { resumeAtExpiry, type ExpiryTimers } from './resume-at-expiry.ts'
import { Admission, refuseWhenFull } from '../loop/admission.ts'
import { linkSignal } from './link-signal.ts'
import { resumeRun, type ResumeRequest } from '../loop/resume-run.ts'
import type { DurableHost } from '../loop/durable-host.ts'
import type { RunHandle } from '../loop/run-handle.ts'
import type { Lease } from './lease.ts'
import type { PreparedAgent } from '../agent/prepare-agent.ts'
import type { RuntimePorts } from '../run-context/runtime-ports.ts'

export interface Tracking {
  readonly signal: AbortSignal | undefined
  readonly admission: Admission | undefined
  /** The host that takes the run's steps. @default this process */
  readonly host?: DurableHost | undefined
}

/** The runs that this process drives: their leases, places, signals and the expiry of their approvals. */
export class ActiveRuns {
  readonly #runs = new TurnoverMap<string, { readonly run: RunHandle; readonly admission: Admission | undefined }>()
  /** Runs that are being resumed. */
  readonly #resuming = new Map<string, Promise<void>>()
  readonly #context: RuntimePorts
  readonly #lease: Lease | undefined
  readonly #sweeper: ExpiryTimers
  readonly #waker: InboxWaker | undefined
  readonly #working: Pick<TurnoverMap<string, RunHandle>, 'get'>
  /** A short run that has ended. While one exists, V8 keeps the code that it has compiled for runs (bench: tricks kept-run). */
  #kept: RunHandle | undefined
  #closed = false

  /** Creates the list, without runs. @param working Child runs, which their parent runs drive and end. */
  constructor(context: RuntimePorts, lease: Lease | undefined, working: Pick<TurnoverMap<string, RunHandle>, 'get'>) {
    this.#lease = lease
    this.#working = working
    const { inbox } = context.store ?? {}
    this.#waker = inbox === undefined ? undefined : createInboxWaker(inbox, runId => this.find(runId)?.readInbox())
    this.#context = context
    this.#sweeper = resumeAtExpiry(context.clock, async runId => {
      // The timer has no caller that could be refused: the run waits for its place.
      const run = await this.resume({ runId, force: false, admit: admissionOf }, undefined)
      if (this.#closed) await run.release()
    })
  }

  get runs(): readonly RunHandle[] {
    return [...this.#runs.values()].map(({ run }) => run)
  }

  /** How many runs wait for a place under a quota. */
  get queued(): number {
    return [...this.#runs.values()].filter(({ admission }) => admission?.waiting !== undefined).length
  }

  has(runId: string): boolean {
    return this.#runs.has(runId)
  }

  /** A run that this process drives, including child runs. */
  find(runId: string): RunHandle | undefined {
    return this.#runs.get(runId)?.run ?? this.#working.get(runId)
  }

  /**
   * Returns the admission of a new run under the quotas of its agent.
   * @throws ParleyError `quota-exceeded` if a full quota refuses the run.
   */
  admit(agent: PreparedAgent): Admission | undefined {
    refuseWhenFull(agent.quotas)
    return admissionOf(agent)
  }

  /**
   * Resumes a run. Attempts of this process take turns: they have the same worker id, so the store would grant each claim.
   * @throws ParleyError `run-busy` if this process drives the run, and what `resumeRun` throws.
   */
  async resume(request: ResumeRequest, signal: AbortSignal | undefined): Promise<RunHandle> {
    const { runId, host } = request
    while (this.#resuming.has(runId)) await this.#resuming.get(runId)
    const attempt = Promise.withResolvers<void>()
    this.#resuming.set(runId, attempt.promise)
    try {
      // Other processes respect the claim of a worker that is alive.
      await this.#lease?.alive()
      if (this.find(runId) !== undefined)
        throw new ParleyError({ code: 'run-busy', runId, worker: this.#context.worker })
      const { run, admission } = await resumeRun(this.#context, request)
      return this.track(run, { signal, admission, host })
    } finally {
      this.#resuming.delete(runId)
      attempt.resolve()
    }
  }

  track(run: RunHandle, { signal, admission, host }: Tracking): RunHandle {
    this.#runs.set(run.runId, { run, admission })
    const unlink = linkSignal(signal, reason => void run.cancel(reason))
    const release = this.#lease?.hold()
    const sleep = this.#waker?.hold()
    void run.settled.then(result => {
      this.#runs.delete(run.runId)
      unlink()
      release?.()
      sleep?.()
      admission?.leave()
      reportUnread(run, result, this.#context)
      if (this.#kept === undefined && run.isShort) this.#kept = run
      const waits = result.status === 'suspended' && result.reason !== 'shutdown'
      if (waits && host === undefined) this.watch(run.runId, result)
    })
    return run
  }

  /** Resumes a suspended run when its requests expire. */
  watch(runId: string, requests: Requests): void {
    if (!this.#closed) this.#sweeper.watch(runId, requests)
  }

  /** Stops resuming runs by itself. */
  stopWatching(): void {
    this.#closed = true
    this.#sweeper.close()
  }

  /** Stops all timers. */
  close(): void {
    this.stopWatching()
    this.#lease?.close()
  }
}

/**
 * Returns the admission of a run of this agent under its quotas. `undefined` for an agent whose runs need no places.
 */
function admissionOf({ quotas }: PreparedAgent): Admission | undefined {
  return quotas.some(({ runs }) => runs !== undefined) ? new Admission(quotas) : undefined
}
