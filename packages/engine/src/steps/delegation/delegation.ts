import {
  createId,
  ParleyError,
  type ApprovalRequest,
  type CancelReason,
  type DelegateRequest,
  type DelegateResult,
  type Limits,
} from '@parley/core'
import { checkLimits } from '../../journal/limits.ts'
import { isStopping, type ChildResult, type ChildState } from '../../journal/run-state.ts'
import { onAbort } from '../../run-context/on-abort.ts'
import type { RunHandle } from '../../loop/run-handle.ts'
import type { RunScope } from '../../run-context/run-scope.ts'
import type { PreparedAgent } from '../../agent/prepare-agent.ts'
import { loadRunResult, neverRan, settledResult, toDelegateResult } from './child-result.ts'
import { childrenOf, endChildren, recordEnded } from './end-children.ts'
import type { ChildOrder } from '../../run-context/child-order.ts'
import { orderChild } from './order-child.ts'
import { unpricedModel } from '../../agent/unpriced-model.ts'

/** One sub-agent as its caller asked for it. */
interface Order {
  readonly request: DelegateRequest
  readonly prepared: PreparedAgent
  readonly runId: string
  /** What the journal knows of it, when it was begun before. */
  readonly known: ChildState | undefined
  /** Any of them stops it. */
  readonly signals: readonly (AbortSignal | undefined)[]
}

/** The sub-agents that work for one call. Begun before, they are gone on with, not begun again. */
export class Delegation {
  readonly #run: RunScope
  readonly #callId: string
  readonly #results = new Map<string, Promise<DelegateResult>>()
  /** What those ask that wait for a person, by run. */
  readonly #suspended = new Map<string, readonly ApprovalRequest[]>()
  readonly #closing = new AbortController()
  #signal: AbortSignal | undefined
  #count = 0
  #broken: { readonly error: unknown } | undefined
  /** Sub-agents that somebody else is to have run; they are left there when the call has to wait. */
  readonly #orders: ChildOrder[] = []
  readonly #mayLeave: boolean

  /** `mayLeave`: somebody takes `orders`, and has the call run again when those have ended. */
  constructor(run: RunScope, callId: string, mayLeave = false) {
    this.#run = run
    this.#callId = callId
    this.#mayLeave = mayLeave
  }

  get orders(): readonly ChildOrder[] {
    return this.#orders
  }

  /** `Delegate`, for a handler that is stopped by `signal`. */
  delegate(request: DelegateRequest, signal: AbortSignal): Promise<DelegateResult> {
    this.#signal = signal
    const key = request.key ?? `#${this.#count++}`
    let result = this.#results.get(key)
    if (result === undefined) {
      result = this.#begin(request, key, signal)
      // A handler need not look at it.
      result.catch(() => {})
      this.#results.set(key, result)
    }
    return result
  }

  /**
   * Waits for the sub-agents once the handler has settled, or stops them when it did not wait for them itself.
   * @returns Whether the call has to wait, for a person or for `orders`, whatever its handler said.
   * @throws What interrupted one of them.
   */
  async settle(): Promise<boolean> {
    if (!this.#waits()) this.#closing.abort(new Error('its call has ended'))
    await Promise.allSettled(this.#results.values())
    // Let go like its caller, each is gone on with from there.
    if (this.#run.released) return true
    if (this.#broken !== undefined) throw this.#broken.error
    const waits = this.#waits()
    const run = this.#run
    const callId = this.#callId
    await endChildren(run, callId, ({ runId }) => waits && this.#isKept(runId))
    if (!waits) return false
    // Only now is this attempt over: a crash before falls into it.
    for (const [childRunId, requests] of this.#suspended) {
      const approvals = requests.map(request => ({ ...request, runId: request.runId ?? childRunId }))
      run.journal.record({ type: 'agent.suspended', callId, childRunId, approvals })
    }
    return true
  }

  #isKept(runId: string): boolean {
    return this.#suspended.has(runId) || this.#orders.some(order => order.runId === runId)
  }

  #waits(): boolean {
    return (
      (this.#suspended.size > 0 || this.#orders.length > 0) &&
      !isStopping(this.#run.state) &&
      this.#signal?.aborted !== true
    )
  }

  /** Runs up to its first wait at once, so that sub-agents are journaled in the order they are asked for. */
  async #begin(request: DelegateRequest, key: string, signal: AbortSignal): Promise<DelegateResult> {
    const signals = [signal, request.signal, this.#closing.signal]
    for (const each of signals) each?.throwIfAborted()
    const run = this.#run
    // An agent given whole is checked as one, whatever the caller's types said.
    const prepared = run.context.agents.get(request.agent)
    checkRequest(request, prepared, run.policy.limits)
    const { name } = prepared.agent
    const known = childrenOf(run, this.#callId).find(child => child.key === key)
    if (known !== undefined && known.agent !== name) {
      const detail = `'${key}' was given to '${known.agent}' before, not to '${name}': name delegates whose order may change`
      throw new ParleyError({ code: 'config-invalid', path: 'delegate.key', detail })
    }
    if (known?.result !== undefined) return toDelegateResult(known.runId, known.result)
    if (known?.suspended === true) this.#suspend(known.runId, known.approvals)
    const runId = known?.runId ?? createId(run.clock.now())
    if (known === undefined) {
      run.journal.record({ type: 'agent.started', callId: this.#callId, key, childRunId: runId, agent: name })
    }
    return this.#work({ request, prepared, runId, known, signals })
  }

  async #work(order: Order): Promise<DelegateResult> {
    const run = this.#run
    const callId = this.#callId
    const { runId } = order
    try {
      // The caller knows of a run before it exists, so that a crash cannot lose it.
      await run.journal.commit()
      const result = await this.#await(order)
      if ('outcome' in result) return toDelegateResult(runId, recordEnded(run, { callId, runId, result }))
      return this.#suspend(runId, result.approvals)
    } catch (error) {
      if (!ParleyError.is(error, 'run-suspended')) this.#broken ??= { error }
      throw error
    } finally {
      run.children?.delete(runId)
    }
  }

  /** A caller that is let go, or has lost its store, lets go; any other end of it cancels. */
  #stop(run: RunHandle, reason: unknown): void {
    if (this.#run.released) void run.letGo()
    else if (ParleyError.is(reason) && reason.code.startsWith('store-')) run.abandon(reason)
    else void run.cancel(toReason(reason))
  }

  #suspend(runId: string, approvals: readonly ApprovalRequest[]): never {
    this.#suspended.set(runId, approvals)
    throw new ParleyError({ code: 'run-suspended', runId })
  }

  #leave(order: ChildOrder): never {
    this.#orders.push(order)
    throw new ParleyError({ code: 'run-suspended', runId: order.runId })
  }

  async #await(order: Order): Promise<ReturnType<typeof settledResult>> {
    const { signals } = order
    const stopped = signals.find(signal => signal?.aborted)
    if (stopped !== undefined && order.known === undefined) return neverRan(toReason(stopped.reason))
    this.#run.children ??= new Map()
    const opened = await this.#open(order)
    if ('outcome' in opened) return opened
    const unlinks = signals.map(signal => onAbort(signal, reason => this.#stop(opened, reason)))
    try {
      return settledResult(await opened.result, opened)
    } finally {
      for (const unlink of unlinks) unlink()
    }
  }

  async #open({ request, prepared, runId, known }: Order): Promise<RunHandle | ChildResult> {
    const { context, facts } = this.#run
    const { store, children } = context
    const { limits, input, sessionId, variables } = request
    const { agent } = prepared
    const parent = { run: this.#run, callId: this.#callId, limits }
    const record = known === undefined ? undefined : await store?.run(runId)
    if (known === undefined || store === undefined || record === undefined) {
      const { scope, principal } = facts
      const { workspace = facts.workspace } = request
      const order = this.#mayLeave ? orderChild(parent, { prepared, request, runId }) : undefined
      if (order !== undefined) this.#leave(order)
      return children.start({
        agent,
        input,
        options: { scope, principal, sessionId, variables, workspace },
        child: { parent, runId },
      })
    }
    const ended = await loadRunResult(store, runId)
    if (ended !== undefined) return ended
    // Whoever drives the caller drives its sub-agents.
    return children.resume({ runId, force: true, child: { parent, agent, decisions: known.decisions } })
  }
}

function checkRequest({ limits = {} }: DelegateRequest, { agent }: PreparedAgent, outer: Limits): void {
  checkLimits(limits, 'delegate.limits')
  const unpriced = unpricedModel(agent, { maxCost: limits.maxCost ?? outer.maxCost })
  if (unpriced !== undefined) throw new ParleyError(unpriced)
}

function toReason(reason: unknown): CancelReason {
  return reason instanceof Error ? { kind: 'parent', detail: reason.message } : { kind: 'parent' }
}
