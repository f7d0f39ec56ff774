import { createId, ParleyError, type DelegateRequest, type DelegateResult, type Limits } from '@parley/core'
import { checkLimits } from '../../agent/limits.ts'
import { DEFAULT_LIMITS } from '../../journal/limit-hit.ts'
import { joinRequests, splitRequests, type PendingRequest } from '../../journal/pending-request.ts'
import { isStopping } from '../../journal/run-state.ts'
import { onAbort } from '../../run-context/on-abort.ts'
import type { CallDelegation } from '../../run-context/children/delegations.ts'
import type { RunContext } from '../../run-context/run-context.ts'
import type { RunResult } from '../../run-context/run-result.ts'
import type { PreparedAgent } from '../../agent/prepare-agent.ts'
import { neverRan, settledResult, toDelegateResult } from './child-result.ts'
import { childrenOf, endChildren, recordEnded } from './end-children.ts'
import type { ChildOrder } from '../../run-context/children/child-order.ts'
import { startOrResumeChild, type Order } from './start-or-resume-child.ts'
import { stopChild, toCancelReason } from './stop-child.ts'
import { unpricedModel } from '../../agent/unpriced-model.ts'

export interface DelegationOptions {
  readonly run: RunContext
  readonly callId: string
  /** Whether the host starts the runs of `orders` and runs the call again after they have ended. */
  readonly mayLeave: boolean
  /** Called with the id of each child run that this process no longer drives. */
  readonly onEnded: (runId: string) => void
}

/** The child runs that work for one call. A child run that an earlier attempt started is resumed, not started again. */
export class Delegation implements CallDelegation {
  readonly orders: ChildOrder[] = []
  readonly #options: DelegationOptions
  readonly #run: RunContext
  readonly #results = new Map<string, Promise<DelegateResult>>()
  /** Pending requests of suspended child runs, by run id. */
  readonly #suspended = new Map<string, readonly PendingRequest[]>()
  readonly #closing = new AbortController()
  #signal: AbortSignal | undefined
  #count = 0
  #broken: { readonly error: unknown } | undefined

  constructor(options: DelegationOptions) {
    this.#options = options
    this.#run = options.run
  }

  delegate(request: DelegateRequest, signal: AbortSignal): Promise<DelegateResult> {
    this.#signal = signal
    const key = request.key ?? `#${this.#count++}`
    let result = this.#results.get(key)
    if (result === undefined) {
      result = this.#begin(request, key, signal)
      // The handler may ignore the promise; its rejection is reported by `settle`.
      result.catch(() => {})
      this.#results.set(key, result)
    }
    return result
  }

  async settle(): Promise<boolean> {
    if (!this.#waits()) this.#closing.abort(new Error('its call has ended'))
    await Promise.allSettled(this.#results.values())
    // The child runs were released with their parent run: the process that resumes it resumes them.
    if (this.#run.due.released) return true
    if (this.#broken !== undefined) throw this.#broken.error
    const waits = this.#waits()
    const { run, callId } = this.#options
    await endChildren(run, callId, ({ runId }) => waits && this.#isKept(runId))
    if (!waits) return false
    // The attempt ends with these entries: after an earlier crash, the call runs again from its start.
    for (const [childRunId, requests] of this.#suspended) {
      const approvals = requests.map(request => ({ ...request, runId: request.runId ?? childRunId }))
      run.journal.record({ type: 'agent.suspended', callId, childRunId, ...splitRequests(approvals) })
    }
    return true
  }

  #isKept(runId: string): boolean {
    return this.#suspended.has(runId) || this.orders.some(order => order.runId === runId)
  }

  #waits(): boolean {
    return (
      (this.#suspended.size > 0 || this.orders.length > 0) &&
      !isStopping(this.#run.state) &&
      this.#signal?.aborted !== true
    )
  }

  /**
   * Starts or resumes a child run. Synchronous up to the first commit, so that child runs are journaled in the order of
   * the handler's requests.
   */
  async #begin(request: DelegateRequest, key: string, signal: AbortSignal): Promise<DelegateResult> {
    const signals = [signal, request.signal, this.#closing.signal]
    for (const each of signals) each?.throwIfAborted()
    const run = this.#run
    // Checks the definition of an agent given as an object: the handler's types may not have.
    const agent = run.runtime.agents.get(request.agent)
    checkRequest(request, agent, run.policy.limits)
    checkDepth(run)
    const { name } = agent.definition
    const { callId } = this.#options
    const known = childrenOf(run, callId).find(child => child.key === key)
    if (known !== undefined && known.agent !== name) {
      const detail = `'${key}' was given to '${known.agent}' before, not to '${name}': name delegates whose order may change`
      throw new ParleyError({ code: 'config-invalid', path: 'delegate.key', detail })
    }
    if (known?.result !== undefined) return toDelegateResult(known.runId, known.result)
    if (known?.suspended === true) this.#suspend(known.runId, known.approvals)
    const runId = known?.runId ?? createId(run.clock.now())
    if (known === undefined) {
      run.journal.record({ type: 'agent.started', callId, key, childRunId: runId, agent: name })
    }
    return this.#work({ request, agent, runId, known, signals })
  }

  async #work(order: Order): Promise<DelegateResult> {
    const { run, callId, onEnded } = this.#options
    const { runId } = order
    try {
      // The parent run's journal names the child run before it exists, so that a crash cannot lose it.
      await run.journal.commit()
      const result = await this.#await(order)
      if ('outcome' in result) return toDelegateResult(runId, recordEnded(run, { callId, runId, result }))
      return this.#suspend(runId, joinRequests(result))
    } catch (error) {
      if (!ParleyError.is(error, 'run-suspended')) this.#broken ??= { error }
      throw error
    } finally {
      onEnded(runId)
    }
  }

  #suspend(runId: string, requests: readonly PendingRequest[]): never {
    this.#suspended.set(runId, requests)
    throw new ParleyError({ code: 'run-suspended', runId })
  }

  #leave(order: ChildOrder): never {
    this.orders.push(order)
    throw new ParleyError({ code: 'run-suspended', runId: order.runId })
  }

  async #await(order: Order): Promise<ReturnType<typeof settledResult>> {
    const { signals } = order
    const stopped = signals.find(signal => signal?.aborted)
    if (stopped !== undefined && order.known === undefined) return neverRan(toCancelReason(stopped.reason))
    const opened = await startOrResumeChild(this.#options, order)
    if ('outcome' in opened) return opened
    if ('agent' in opened) return this.#leave(opened)
    const unlinks = signals.map(signal => onAbort(signal, reason => stopChild(this.#run, opened, reason)))
    try {
      const result = await opened.result
      if (order.known !== undefined && isTaken(result)) return await this.#await(order)
      return settledResult(result, opened)
    } finally {
      for (const unlink of unlinks) unlink()
    }
  }
}

/**
 * Whether the child run could not begin because it exists: its first append, sent by a process that died, arrived after
 * this process had found no such run.
 */
function isTaken(result: RunResult): boolean {
  return result.status === 'failed' && result.error.code === 'store-conflict'
}

/**
 * Checks that the run may have child runs.
 * @throws ParleyError `limit-reached` if the run may have no level of child runs below it.
 */
function checkDepth({ facts, policy }: RunContext): void {
  const { maxDepth = DEFAULT_LIMITS.maxDepth } = policy.limits
  if (maxDepth > 0) return
  const levels = facts.path.length / 2
  throw new ParleyError({ code: 'limit-reached', limit: 'levels of child runs', max: levels, value: levels })
}

function checkRequest({ limits = {} }: DelegateRequest, { definition }: PreparedAgent, parentLimits: Limits): void {
  checkLimits(limits, 'delegate.limits')
  const unpriced = unpricedModel(definition, { maxCost: limits.maxCost ?? parentLimits.maxCost })
  if (unpriced !== undefined) throw new ParleyError(unpriced)
}
