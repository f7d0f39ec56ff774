import { createId, ParleyError, systemClock, type LiveBus, type Store } from '@parley/core'
import { loadRunResult, type Runtime } from '@parley/engine'
import { rpc, type Ingress } from '@restatedev/restate-sdk-clients'
import { followEvents } from './follow-events.ts'
import type { HostedRun } from './hosted-run.ts'
import type { HostedResult, RunOrder, SentInput } from './run-order.ts'
import type { RunWorkflow } from './run-workflow.ts'
import { RUN_SERVICE } from './service-names.ts'
import { called } from './terminal-error.ts'

/** Between two looks for a run that has not begun. */
const LOOK_MS = 100

/** What a client reaches runs through. */
export interface RunAccess {
  readonly url: string
  /** Gives up in time. */
  readonly brief: Ingress
  /** Does not. */
  readonly patient: Ingress
  readonly store: Store
  /** Reads only. */
  readonly journals: Runtime
  readonly live: LiveBus | undefined
}

export function createHostedRun(
  { url, brief, patient, store, journals, live }: RunAccess,
  { runId, sessionId, scope }: Pick<RunOrder, 'runId' | 'sessionId' | 'scope'>,
): HostedRun {
  const workflow = brief.workflowClient<RunWorkflow>({ name: RUN_SERVICE }, runId)
  const waiting = patient.workflowClient<RunWorkflow>({ name: RUN_SERVICE }, runId)
  // One that is sent again because its answer was lost is the same call.
  const once = () => rpc.opts<never, void>({ idempotencyKey: createId(systemClock.now()) })

  /** From the journal, which outlasts what Restate keeps; undefined while the run goes on or has not begun. */
  async function ended(): Promise<HostedResult | undefined> {
    if ((await store.run(runId)) === undefined) return undefined
    const result = await loadRunResult(store, runId)
    return result === undefined ? undefined : { runId, sessionId, ...result }
  }

  async function result({ signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<HostedResult> {
    const known = await ended()
    if (known !== undefined) return known
    const answer = rpc.opts<never, never>({ idempotencyKey: runId, ...(signal === undefined ? {} : { signal }) })
    const report = await called(url, () => waiting.result(answer), signal)
    if (report.type === 'refused') throw new ParleyError(report.error)
    return report.result
  }

  async function say(input: SentInput): Promise<void> {
    if ((await ended()) !== undefined) throw new ParleyError({ code: 'run-ended', runId })
    await called(url, () => workflow.say(input, once()))
  }

  /** Others of its session may go before it, and it may be refused. */
  async function begun(signal: AbortSignal): Promise<void> {
    if ((await store.run(runId)) !== undefined) return
    const asking = new AbortController()
    const over = result({ signal: AbortSignal.any([signal, asking.signal]) }).then(() => true)
    over.catch(() => {})
    for (let settled = false; !settled && !signal.aborted && (await store.run(runId)) === undefined;) {
      const later = Promise.withResolvers<false>()
      const callOff = systemClock.after(LOOK_MS, () => later.resolve(false))
      settled = await Promise.race([later.promise, over]).finally(callOff)
    }
    asking.abort()
  }

  return {
    runId,
    sessionId,
    result,
    decide: (approvalId, given) => called(url, () => workflow.decide({ approvalId, ...given }, once())),
    cancel: async (reason = { kind: 'user' }) => {
      if ((await ended()) === undefined) await called(url, () => workflow.cancel(reason, once()))
    },
    steer: message => say({ kind: 'steering', message }),
    followUp: message => say({ kind: 'follow-up', message }),
    events: (options = {}) => followEvents(journals, { runId, scope, live, begun }, options),
  }
}
