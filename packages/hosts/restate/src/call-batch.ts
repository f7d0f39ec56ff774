import { describeError, toErrorInfo, type CancelReason } from '@parley/core'
import type { BrokenChild, CallNews, ChildOrder, LeftCall, OpenCall } from '@parley/engine'
import type { RestatePromise, WorkflowContext } from '@restatedev/restate-sdk'
import type { HeldRun } from './held-run.ts'
import type { RunEars } from './run-ears.ts'
import { NO_NEWS, type RunNews } from './run-news.ts'
import type { RunOrder, RunReport } from './run-order.ts'
import type { RunWorkflow } from './run-workflow.ts'
import { RUN_SERVICE } from './service-names.ts'

/** One attempt at the invocation of a run. */
export interface Attempt {
  readonly context: WorkflowContext
  readonly order: RunOrder
  readonly run: HeldRun
  readonly ears: RunEars
}

const LOOK = 'look'

type Over =
  | { readonly type: 'call'; readonly call: OpenCall; readonly left: LeftCall | undefined }
  | {
      readonly type: 'child'
      readonly callId: string
      readonly runId: string
      readonly broken: BrokenChild | undefined
    }
  | { readonly type: 'time'; readonly callId: string }
  | { readonly type: 'look'; readonly news: RunNews }

/** A call that waits for its sub-agents. */
interface Left {
  readonly call: OpenCall
  readonly waitsFor: Set<string>
  readonly broken: BrokenChild[]
  timedOut: boolean
}

/**
 * Runs the calls of a batch side by side, each as one operation, and the runs of sub-agents that work for them, each as a
 * call of its own; a call goes on in a further operation when those have ended. What is done next follows from what Restate
 * has recorded alone, in its order.
 */
export class CallRounds {
  readonly #attempt: Attempt
  /** What is under way, in the order it was begun. */
  readonly #pending = new Map<string, RestatePromise<Over>>()
  readonly #timers = new Map<string, RestatePromise<Over>>()
  readonly #left = new Map<string, Left>()
  readonly #forwarded = new Set<string>()
  /** Calls that begin when the run has been looked at. */
  readonly #deferred = new Map<string, { readonly call: OpenCall; readonly news: CallNews }>()
  #lookAgain = false
  #news: RunNews = NO_NEWS

  constructor(attempt: Attempt) {
    this.#attempt = attempt
  }

  async run(batch: readonly OpenCall[]): Promise<void> {
    const { ears } = this.#attempt
    for (const call of batch) this.#begin(call, {})
    while (this.#pending.size > 0) {
      const approvalIds = this.#pending.has(LOOK) ? [] : this.#news.approvalIds
      const heard = await ears.next([...this.#pending.values(), ...this.#timers.values()], approvalIds)
      if (heard.type === 'done') this.#settle(heard.value)
      else if (heard.type === 'cancelled') for (const runId of this.#children()) this.#cancel(runId, heard.reason)
      else if (heard.type === 'told' && heard.input.kind === 'asks') this.#look()
      else if (heard.type === 'decided') {
        const { decided } = heard
        const deciding = this.#attempt.context.run(`decide ${decided.approvalId}`, () =>
          this.#attempt.run.decide(decided),
        )
        this.#take(await ears.through(deciding))
      }
    }
  }

  #begin(call: OpenCall, news: CallNews): void {
    if (this.#pending.has(LOOK)) {
      this.#deferred.set(call.callId, { call, news })
      return
    }
    const { context, ears, run } = this.#attempt
    const { callId, name } = call
    const { cancel } = ears
    const running = context.run(`tool ${name}`, () => run.call({ callId, cancel, news }))
    this.#pending.set(
      callId,
      running.map(left => ({ type: 'call', call, left })),
    )
  }

  #settle(over: Over): void {
    if (over.type === 'look') return this.#looked(over.news)
    if (over.type === 'time') return this.#timeUp(over.callId)
    if (over.type === 'child') return this.#childOver(over)
    const { call, left } = over
    this.#pending.delete(call.callId)
    if (left !== undefined) return this.#leave(call, left)
    this.#timers.delete(call.callId)
    this.#left.delete(call.callId)
    // Others of the run may have waited for a person already.
    if (this.#news.approvalIds.length > 0 && this.#pending.size > 0) this.#look()
  }

  #leave(call: OpenCall, { children, timeoutMs }: LeftCall): void {
    const { context } = this.#attempt
    const { callId, name } = call
    const before = this.#left.get(callId)
    const waitsFor = new Set(children.map(({ runId }) => runId))
    this.#left.set(callId, { call, waitsFor, broken: [], timedOut: before?.timedOut ?? false })
    for (const child of children) this.#beginChild(callId, child)
    if (before?.timedOut === true) this.#timeUp(callId)
    if (timeoutMs === undefined || before !== undefined) return
    const timer = context.sleep(timeoutMs, `time of ${name}`)
    this.#timers.set(
      callId,
      timer.map(() => ({ type: 'time', callId })),
    )
  }

  #beginChild(callId: string, child: ChildOrder): void {
    const { context, ears } = this.#attempt
    const { runId } = child
    const running = context.workflowClient<RunWorkflow>({ name: RUN_SERVICE }, runId).run(child)
    this.#pending.set(
      childKey(runId),
      running.map((report, failure) => ({ type: 'child', callId, runId, broken: brokenOf(runId, report, failure) })),
    )
    if (ears.cancel !== undefined) this.#cancel(runId, ears.cancel)
  }

  #childOver({ callId, runId, broken }: Extract<Over, { type: 'child' }>): void {
    this.#pending.delete(childKey(runId))
    const left = this.#left.get(callId)
    if (left === undefined) return
    left.waitsFor.delete(runId)
    if (broken !== undefined) left.broken.push(broken)
    if (left.waitsFor.size === 0) this.#begin(left.call, { broken: left.broken, timedOut: left.timedOut })
  }

  #timeUp(callId: string): void {
    this.#timers.delete(callId)
    const left = this.#left.get(callId)
    if (left === undefined) return
    left.timedOut = true
    for (const runId of left.waitsFor) this.#send(runId, { kind: 'parent', detail: 'its call took too long' })
  }

  /**
   * Lets the run wait when all its calls do. It may take as long as a person who is asked here: no call begins meanwhile, and
   * nothing is decided from elsewhere.
   */
  #look(): void {
    const { context, ears, run } = this.#attempt
    const { cancel } = ears
    this.#lookAgain = this.#pending.has(LOOK)
    if (this.#lookAgain) return
    const looking = context.run(LOOK, () => run.look({ cancel }))
    this.#pending.set(
      LOOK,
      looking.map(news => ({ type: 'look', news: news ?? NO_NEWS })),
    )
  }

  #looked(news: RunNews): void {
    this.#pending.delete(LOOK)
    const deferred = [...this.#deferred.values()]
    this.#deferred.clear()
    for (const one of deferred) this.#begin(one.call, one.news)
    this.#take(news)
    if (this.#lookAgain) this.#look()
  }

  #take(news: RunNews): void {
    const { context, order } = this.#attempt
    this.#news = news
    for (const { runId, sent } of news.decisions) {
      if (this.#forwarded.has(sent.approvalId)) continue
      this.#forwarded.add(sent.approvalId)
      context.workflowSendClient<RunWorkflow>({ name: RUN_SERVICE }, runId).decide(sent)
    }
    for (const call of news.calls) {
      const { callId } = call
      const isWaiting = this.#deferred.has(callId) || (this.#left.get(callId)?.waitsFor.size ?? 0) > 0
      if (!isWaiting && !this.#pending.has(callId)) this.#begin(call, {})
    }
    if (news.waits) tellCaller(context, order)
  }

  #children(): readonly string[] {
    return [...this.#left.values()].flatMap(({ waitsFor }) => [...waitsFor])
  }

  #cancel(runId: string, reason: CancelReason): void {
    this.#send(runId, { kind: 'parent', detail: describeError({ code: 'cancelled', ...reason }) })
  }

  #send(runId: string, reason: CancelReason): void {
    this.#attempt.context.workflowSendClient<RunWorkflow>({ name: RUN_SERVICE }, runId).cancel(reason)
  }
}

/** Lets the run for which this one works know that it waits for a person. */
export function tellCaller(context: WorkflowContext, { caller }: RunOrder): void {
  if (caller === undefined) return
  context.workflowSendClient<RunWorkflow>({ name: RUN_SERVICE }, caller.runId).say({ kind: 'asks', runId: context.key })
}

function childKey(runId: string): string {
  return `child ${runId}`
}

function brokenOf(runId: string, report: RunReport | undefined, failure: unknown): BrokenChild | undefined {
  if (report?.type === 'ended') return undefined
  return { runId, error: report?.error ?? toErrorInfo(failure) }
}
