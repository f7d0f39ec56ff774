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
  /** Who takes its steps, when that is not this process. */
  readonly host?: DurableHost | undefined
}

/** The runs this process drives, and everything that has to follow when one is over. */
export class ActiveRuns {
  readonly #runs = new Map<string, { readonly run: RunHandle; readonly admission: Admission | undefined }>()
  readonly #lease: Lease | undefined
  readonly #sweeper: ApprovalSweeper
  readonly #waker: InboxWaker | undefined
  readonly #working: ReadonlyMap<string, RunHandle>
  #closed = false

  /** `working` are the runs of sub-agents, which their callers drive and end. */
  constructor(context: RuntimePorts, lease: Lease | undefined, working: ReadonlyMap<string, RunHandle>) {
    this.#lease = lease
    this.#working = working
    const { inbox } = context.store ?? {}
    this.#waker = inbox === undefined ? undefined : createInboxWaker(inbox, runId => this.find(runId)?.readInbox())
    this.#sweeper = createApprovalSweeper(context.clock, async runId => {
      // Nobody is there to be refused: it waits for its place.
      const { run, admission } = await resumeRun(context, { runId, force: false, admit: admissionOf })
      this.track(run, { signal: undefined, admission })
    })
  }

  get runs(): readonly RunHandle[] {
    return [...this.#runs.values()].map(({ run }) => run)
  }

  /** How many wait for a place. */
  get queued(): number {
    return [...this.#runs.values()].filter(({ admission }) => admission?.waiting !== undefined).length
  }

  has(runId: string): boolean {
    return this.#runs.has(runId)
  }

  /** A run that is driven here, also one of a sub-agent. */
  find(runId: string): RunHandle | undefined {
    return this.#runs.get(runId)?.run ?? this.#working.get(runId)
  }

  /** @throws ParleyError `quota-exceeded` where a full quota refuses. */
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

  /** Goes on with a suspended run when the time of its requests is up. */
  watch(runId: string, approvals: readonly ApprovalRequest[]): void {
    if (!this.#closed) this.#sweeper.watch(runId, approvals)
  }

  /** Wakes up for nothing any more. */
  close(): void {
    this.#closed = true
    this.#sweeper.close()
    this.#lease?.close()
  }
}

/** Undefined for an agent whose runs need no places. */
function admissionOf({ quotas }: PreparedAgent): Admission | undefined {
  return quotas.some(({ runs }) => runs !== undefined) ? new Admission(quotas) : undefined
}
