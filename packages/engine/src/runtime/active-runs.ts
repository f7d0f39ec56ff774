import type { ApprovalRequest } from '@parley/core'
import { createInboxWaker, type InboxWaker } from './inbox-waker.ts'
import { createApprovalSweeper, type ApprovalSweeper } from './approval-sweeper.ts'
import { Admission, refuseWhenFull } from '../loop/admission.ts'
import { linkSignal } from './link-signal.ts'
import { resumeRun } from '../loop/resume-run.ts'
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
  readonly #runs = new Map<string, { readonly run: RunHandle; readonly admission: Admission | undefined }>()
  readonly #lease: Lease | undefined
  readonly #sweeper: ApprovalSweeper
  readonly #waker: InboxWaker | undefined
  readonly #working: ReadonlyMap<string, RunHandle>
  #closed = false

  /** `working` are child runs, which their parent runs drive and end. */
  constructor(context: RuntimePorts, lease: Lease | undefined, working: ReadonlyMap<string, RunHandle>) {
    this.#lease = lease
    this.#working = working
    const { inbox } = context.store ?? {}
    this.#waker = inbox === undefined ? undefined : createInboxWaker(inbox, runId => this.find(runId)?.readInbox())
    this.#sweeper = createApprovalSweeper(context.clock, async runId => {
      // The timer has no caller that could be refused: the run waits for its place.
      const { run, admission } = await resumeRun(context, { runId, force: false, admit: admissionOf })
      this.track(run, { signal: undefined, admission })
    })
  }

  get runs(): readonly RunHandle[] {
    return [...this.#runs.values()].map(({ run }) => run)
  }

  /** How many runs wait for a place. */
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

  /** @throws ParleyError `quota-exceeded` if a full quota refuses the run. */
  admit(agent: PreparedAgent): Admission | undefined {
    refuseWhenFull(agent.quotas)
    return admissionOf(agent)
  }

  track(run: RunHandle, { signal, admission, host }: Tracking): RunHandle {
    this.#runs.set(run.runId, { run, admission })
    const unlink = linkSignal(signal, reason => void run.cancel(reason))
    const release = this.#lease?.hold(run)
    const sleep = this.#waker?.hold()
    void run.result.then(result => {
      this.#runs.delete(run.runId)
      unlink()
      release?.()
      sleep?.()
      admission?.leave()
      const waits = result.status === 'suspended' && result.reason === undefined
      if (waits && host === undefined) this.watch(run.runId, result.approvals)
    })
    return run
  }

  /** Resumes a suspended run when its requests expire. */
  watch(runId: string, approvals: readonly ApprovalRequest[]): void {
    if (!this.#closed) this.#sweeper.watch(runId, approvals)
  }

  /** Stops all timers. */
  close(): void {
    this.#closed = true
    this.#sweeper.close()
    this.#lease?.close()
  }
}

/** `undefined` for an agent whose runs need no places. */
function admissionOf({ quotas }: PreparedAgent): Admission | undefined {
  return quotas.some(({ runs }) => runs !== undefined) ? new Admission(quotas) : undefined
}
