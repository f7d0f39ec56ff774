import { toErrorInfo } from '@parley/core'
import type { BrokenChild, CallUpdate, ChildOrder, PendingCall, OpenCall } from '@parley/engine/host'
import type { RestatePromise, WorkflowContext } from '@restatedev/restate-sdk'
import { NO_PENDING_WORK, type PendingWork } from './pending-work.ts'
import { cancelChild, notifyParent, sendCancel, sendDecision, startChild } from './related-runs.ts'
import type { RunOperations } from './run-operations.ts'
import type { RunOrder, RunReport } from './run-order.ts'
import type { RunSignals } from './run-signals.ts'

/** One attempt at the invocation of a run. */
export interface Attempt {
  readonly context: WorkflowContext
  readonly order: RunOrder
  readonly run: RunOperations
  readonly signals: RunSignals
}

/** Name of the operation that suspends the run if all its calls are suspended. */
const CHECK = 'check suspension'

/** The operation, child run or timer that ended. */
type Ended =
  | { readonly type: 'call'; readonly call: OpenCall; readonly left: PendingCall | undefined }
  | {
      readonly type: 'child'
      readonly callId: string
      readonly runId: string
      readonly broken: BrokenChild | undefined
    }
  | { readonly type: 'timeout'; readonly callId: string }
  | { readonly type: 'check'; readonly work: PendingWork }

/** A call whose handler has stopped until its child runs end. */
interface WaitingCall {
  readonly call: OpenCall
  readonly children: Set<string>
  readonly broken: BrokenChild[]
  timedOut: boolean
}

/**
 * Runs the calls of a batch concurrently. Each call is one operation; each of its child runs is a workflow of its own.
 * When the child runs of a call have ended, the call continues in another operation. Every choice depends only on what
 * Restate has recorded, and in which order. So a repeated attempt makes the same choices.
 */
export class CallBatch {
  readonly #attempt: Attempt
  /** Unfinished operations and child runs, in the order they were started. */
  readonly #pending = new Map<string, RestatePromise<Ended>>()
  readonly #timers = new Map<string, RestatePromise<Ended>>()
  readonly #waiting = new Map<string, WaitingCall>()
  readonly #forwarded = new Set<string>()
  /** Calls that start after the suspension check. */
  readonly #deferred = new Map<string, { readonly call: OpenCall; readonly news: CallUpdate }>()
  #checkAgain = false
  #work: PendingWork = NO_PENDING_WORK

  constructor(attempt: Attempt) {
    this.#attempt = attempt
  }

  async run(batch: readonly OpenCall[]): Promise<void> {
    const { signals } = this.#attempt
    for (const call of batch) this.#start(call, {})
    while (this.#pending.size > 0) {
      const approvalIds = this.#pending.has(CHECK) ? [] : this.#work.approvalIds
      const signal = await signals.next([...this.#pending.values(), ...this.#timers.values()], approvalIds)
      if (signal.type === 'done') this.#settle(signal.value)
      else if (signal.type === 'cancelled')
        for (const runId of this.#children()) cancelChild(this.#attempt.context, runId, signal.reason)
      else if (signal.type === 'input' && signal.input.kind === 'child-suspended') this.#check()
      else if (signal.type === 'decided') {
        const { decided } = signal
        const deciding = this.#attempt.context.run(`decide ${decided.approvalId}`, () =>
          this.#attempt.run.decide(decided),
        )
        this.#apply(await signals.finish(deciding))
      }
    }
  }

  #start(call: OpenCall, news: CallUpdate): void {
    if (this.#pending.has(CHECK)) {
      this.#deferred.set(call.callId, { call, news })
      return
    }
    const { context, signals, run } = this.#attempt
    const { callId, name } = call
    const { cancel } = signals
    const running = context.run(`tool ${name}`, () => run.call({ callId, cancel, news }))
    this.#pending.set(
      callId,
      running.map(left => ({ type: 'call', call, left })),
    )
  }

  #settle(ended: Ended): void {
    if (ended.type === 'check') return this.#checked(ended.work)
    if (ended.type === 'timeout') return this.#timeOut(ended.callId)
    if (ended.type === 'child') return this.#childEnded(ended)
    const { call, left } = ended
    this.#pending.delete(call.callId)
    if (left !== undefined) return this.#waitForChildren(call, left)
    this.#timers.delete(call.callId)
    this.#waiting.delete(call.callId)
    // All remaining calls may be suspended for approval now.
    if (this.#work.approvalIds.length > 0 && this.#pending.size > 0) this.#check()
  }

  #waitForChildren(call: OpenCall, { children, timeoutMs }: PendingCall): void {
    const { context } = this.#attempt
    const { callId, name } = call
    const before = this.#waiting.get(callId)
    const runIds = new Set(children.map(({ runId }) => runId))
    this.#waiting.set(callId, { call, children: runIds, broken: [], timedOut: before?.timedOut ?? false })
    for (const child of children) this.#startChild(callId, child)
    if (before?.timedOut === true) this.#timeOut(callId)
    if (timeoutMs === undefined || before !== undefined) return
    const timer = context.sleep(timeoutMs, `timeout of ${name}`)
    this.#timers.set(
      callId,
      timer.map(() => ({ type: 'timeout', callId })),
    )
  }

  #startChild(callId: string, child: ChildOrder): void {
    const { context, signals } = this.#attempt
    const { runId } = child
    const running = startChild(context, child)
    this.#pending.set(
      childKey(runId),
      running.map((report, failure) => ({ type: 'child', callId, runId, broken: brokenOf(runId, report, failure) })),
    )
    if (signals.cancel !== undefined) cancelChild(context, runId, signals.cancel)
  }

  #childEnded({ callId, runId, broken }: Extract<Ended, { type: 'child' }>): void {
    this.#pending.delete(childKey(runId))
    const waiting = this.#waiting.get(callId)
    if (waiting === undefined) return
    waiting.children.delete(runId)
    if (broken !== undefined) waiting.broken.push(broken)
    if (waiting.children.size === 0) this.#start(waiting.call, { broken: waiting.broken, timedOut: waiting.timedOut })
  }

  #timeOut(callId: string): void {
    this.#timers.delete(callId)
    const waiting = this.#waiting.get(callId)
    if (waiting === undefined) return
    waiting.timedOut = true
    const reason = { kind: 'parent', detail: 'its call took too long' } as const
    for (const runId of waiting.children) sendCancel(this.#attempt.context, runId, reason)
  }

  /**
   * Suspends the run if all its calls are suspended. An `onApproval` handler of the worker may ask a user here, so the check
   * may take long. Until it ends, no call starts and no decision is applied.
   */
  #check(): void {
    const { context, signals, run } = this.#attempt
    const { cancel } = signals
    this.#checkAgain = this.#pending.has(CHECK)
    if (this.#checkAgain) return
    const checking = context.run(CHECK, () => run.checkSuspension({ cancel }))
    this.#pending.set(
      CHECK,
      checking.map(work => ({ type: 'check', work: work ?? NO_PENDING_WORK })),
    )
  }

  #checked(work: PendingWork): void {
    this.#pending.delete(CHECK)
    const deferred = [...this.#deferred.values()]
    this.#deferred.clear()
    for (const one of deferred) this.#start(one.call, one.news)
    this.#apply(work)
    if (this.#checkAgain) this.#check()
  }

  #apply(work: PendingWork): void {
    const { context, order } = this.#attempt
    this.#work = work
    for (const { runId, sent } of work.decisions) {
      if (this.#forwarded.has(sent.approvalId)) continue
      this.#forwarded.add(sent.approvalId)
      sendDecision(context, runId, sent)
    }
    for (const call of work.calls) {
      const { callId } = call
      const isWaiting = this.#deferred.has(callId) || (this.#waiting.get(callId)?.children.size ?? 0) > 0
      if (!isWaiting && !this.#pending.has(callId)) this.#start(call, {})
    }
    if (work.suspended) notifyParent(context, order)
  }

  #children(): readonly string[] {
    return [...this.#waiting.values()].flatMap(({ children }) => [...children])
  }
}

function childKey(runId: string): string {
  return `child ${runId}`
}

function brokenOf(runId: string, report: RunReport | undefined, failure: unknown): BrokenChild | undefined {
  if (report?.type === 'ended') return undefined
  return { runId, error: report?.error ?? toErrorInfo(failure) }
}
