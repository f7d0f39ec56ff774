import { createId, ParleyError, systemClock, type LiveBus, type Store } from '@parley/core'
import type { Runtime } from '@parley/engine'
import { loadRun } from '@parley/engine/journal'
import { findClientCall, loadRunResult, toDelegateResult, toSubmission } from '@parley/engine/host'
import { rpc, type Ingress } from '@restatedev/restate-sdk-clients'
import { followEvents } from './follow-events.ts'
import type { HostedRun } from './hosted-run.ts'
import type { HostedResult, RunOrder, SentInput } from './run-order.ts'
import { RUN_SERVICE, type RunHandlers } from './service-contract.ts'
import { called } from './terminal-error.ts'

/** Milliseconds between two reads of the store while a run has not started. */
const POLL_MS = 100

/** Connections of a client. */
export interface RunAccess {
  readonly url: string
  /** The ingress for requests that fail after `waitMs`. */
  readonly brief: Ingress
  /** The ingress for requests that are retried forever. */
  readonly patient: Ingress
  readonly store: Store
  /** A runtime that only reads journals. */
  readonly journals: Runtime
  readonly live: LiveBus | undefined
}

export function createHostedRun(
  { url, brief, patient, store, journals, live }: RunAccess,
  { runId, sessionId, scope }: Pick<RunOrder, 'runId' | 'sessionId' | 'scope'>,
): HostedRun {
  const workflow = brief.workflowClient<RunHandlers>({ name: RUN_SERVICE }, runId)
  const waiting = patient.workflowClient<RunHandlers>({ name: RUN_SERVICE }, runId)
  // With a key, a request that the SDK repeats after a lost response counts once.
  const once = () => rpc.opts<never, void>({ idempotencyKey: createId(systemClock.now()) })

  /** The result from the journal, which lasts longer than Restate's data. `undefined` if the run has not ended. */
  async function ended(): Promise<HostedResult | undefined> {
    if ((await store.run(runId)) === undefined) return undefined
    const result = await loadRunResult(store, runId)
    return result === undefined ? undefined : { ...toDelegateResult(runId, result), sessionId }
  }

  async function result({ signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<HostedResult> {
    const known = await ended()
    if (known !== undefined) return known
    const answer = rpc.opts<never, never>({ idempotencyKey: runId, ...(signal === undefined ? {} : { signal }) })
    const report = await called(url, () => waiting.result(answer), signal)
    if (report.type === 'refused') throw new ParleyError(report.error)
    return report.result
  }

  async function send(input: SentInput): Promise<void> {
    if ((await ended()) !== undefined) throw new ParleyError({ code: 'run-ended', runId })
    await called(url, () => workflow.send(input, once()))
  }

  const submitToolResult: HostedRun['submitToolResult'] = async (callId, value, options = {}) => {
    const decision = toSubmission(value)
    const approvalId = findClientCall(await loadRun(store, runId), { runId, callId, now: systemClock.now() })
    try {
      await called(url, () => workflow.decide({ approvalId, decision, ...options }, once()))
    } catch (error) {
      if (!ParleyError.is(error, 'approval-decided') && !ParleyError.is(error, 'run-ended')) throw error
      throw new ParleyError({ code: 'client-call-settled', runId, callId }, { cause: error })
    }
  }

  /** Resolves when the run has a journal, or was refused. Earlier runs of its session come first. */
  async function started(signal: AbortSignal): Promise<void> {
    if ((await store.run(runId)) !== undefined) return
    const asking = new AbortController()
    const over = result({ signal: AbortSignal.any([signal, asking.signal]) }).then(() => true)
    over.catch(() => {})
    for (let settled = false; !settled && !signal.aborted && (await store.run(runId)) === undefined;) {
      const later = Promise.withResolvers<false>()
      const callOff = systemClock.after(POLL_MS, () => later.resolve(false))
      settled = await Promise.race([later.promise, over]).finally(callOff)
    }
    asking.abort()
  }

  return {
    runId,
    sessionId,
    result,
    decide: (approvalId, given) => called(url, () => workflow.decide({ approvalId, ...given }, once())),
    submitToolResult,
    cancel: async (reason = { kind: 'user' }) => {
      if ((await ended()) === undefined) await called(url, () => workflow.cancel(reason, once()))
    },
    steer: message => send({ kind: 'steering', message }),
    followUp: message => send({ kind: 'follow-up', message }),
    events: (options = {}) => followEvents(journals, { runId, scope, live, started }, options),
  }
}
