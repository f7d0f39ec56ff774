import { ParleyError, type CancelReason, type ErrorInfo } from '@parley/core'
import { cancelReasonSchema } from '@parley/core/schema'
import { loadRun } from '@parley/engine/journal'
import { checkDecision } from '@parley/engine/host'
import {
  handlers,
  RestatePromise,
  serde,
  TerminalError,
  workflow,
  type WorkflowContext,
  type WorkflowSharedContext,
} from '@restatedev/restate-sdk'
import { CallBatch } from './call-batch.ts'
import { notifyParent } from './related-runs.ts'
import { RunOperations } from './run-operations.ts'
import { RunSignals } from './run-signals.ts'
import {
  runOrderSchema,
  sentDecisionSchema,
  sentInputSchema,
  type RunOrder,
  type RunReport,
  type SentDecision,
  type SentInput,
} from './run-order.ts'
import { promiseNames, RUN_SERVICE, type RunHandlers } from './service-contract.ts'
import { toTerminalError } from './terminal-error.ts'
import type { Worker } from './worker.ts'

/** How long Restate keeps a result for a client that lost its connection and asks again. */
const ANSWER_RETENTION_MS = 3_600_000

/** The workflow of one run. Its key is the run's id, so Restate starts it once. */
export function createRunWorkflow(worker: Worker, retentionMs: number) {
  const runHandlers: RunHandlers = {
    run: handlers.workflow.workflow(
      // The session calls it, never a client: that keeps the order of the session's runs.
      { input: serde.schema(runOrderSchema), ingressPrivate: true },
      (context: WorkflowContext, order: RunOrder) => driveRun(worker, context, order),
    ),
    decide: handlers.workflow.shared(
      { input: serde.schema(sentDecisionSchema) },
      (context: WorkflowSharedContext, sent: SentDecision) => decide(worker, context, sent),
    ),
    cancel: handlers.workflow.shared(
      { input: serde.schema(cancelReasonSchema) },
      (context: WorkflowSharedContext, reason: CancelReason) => cancel(worker, context, reason),
    ),
    send: handlers.workflow.shared(
      { input: serde.schema(sentInputSchema) },
      (context: WorkflowSharedContext, input: SentInput) => send(worker, context, input),
    ),
    result: handlers.workflow.shared(
      { idempotencyRetention: ANSWER_RETENTION_MS },
      (context: WorkflowSharedContext): Promise<RunReport> => context.promise<RunReport>(promiseNames.ended).get(),
    ),
  }
  return workflow({
    name: RUN_SERVICE,
    handlers: runHandlers,
    options: {
      // Suspended runs hold no worker, so only the longest step counts.
      abortTimeout: worker.maxStepMs,
      workflowRetention: retentionMs,
      asTerminalError: error => (error instanceof Refusal ? toTerminalError(error.info) : undefined),
    },
  })
}

/** A failure that every further attempt would repeat. */
class Refusal extends Error {
  readonly info: ErrorInfo

  constructor(info: ErrorInfo) {
    super(info.code)
    this.info = info
  }
}

/**
 * Takes the steps of a run and runs its tool calls until the run ends. Each step and each call is one durable operation.
 * Restate keeps only what decides the next operation. The journal keeps what was done, and a repeated operation starts from it.
 */
async function driveRun(worker: Worker, context: WorkflowContext, order: RunOrder): Promise<RunReport> {
  const run = new RunOperations(worker, order)
  const { attemptCompletedSignal } = context.request()
  attemptCompletedSignal.addEventListener('abort', () => void run.drain(), { once: true })
  const signals = new RunSignals(context, run)
  const attempt = { context, order, run, signals }
  await signals.finish(context.promise(promiseNames.started).resolve(true))
  let decided: SentDecision | undefined
  for (let index = 1; ; index++) {
    const step = { cancel: signals.cancel, decided }
    const report = await signals.step(context.run(`step ${index}`, () => run.step(step)))
    if (report.type === 'ended' || report.type === 'refused') {
      await signals.finish(context.promise<RunReport>(promiseNames.ended).resolve(report))
      return report
    }
    if (report.type === 'calls') for (const batch of report.batches) await new CallBatch(attempt).run(batch)
    if (report.type === 'suspended') notifyParent(context, order)
    decided = report.type === 'suspended' ? await signals.decision(report) : undefined
  }
}

async function decide({ store, runtime }: Worker, context: WorkflowSharedContext, sent: SentDecision): Promise<void> {
  const { key: runId } = context
  const { approvalId, by } = sent
  if (!(await hasStarted(context))) throw toTerminalError({ code: 'run-unknown', runId })
  await context.run('check', async () => {
    try {
      checkDecision(await loadRun(store, runId), { ...sent, runId, by }, { agents: runtime.agents })
    } catch (error) {
      if (ParleyError.is(error) && !error.code.startsWith('store-')) throw new Refusal(error.info)
      throw error
    }
  })
  const first = await settle(context, promiseNames.decision(approvalId), sent)
  if (!first) throw toTerminalError({ code: 'approval-decided', runId, approvalId })
}

async function send(worker: Worker, context: WorkflowSharedContext, input: SentInput): Promise<void> {
  await checkDrivenHere(worker, context)
  for (let index = 0; ; index++) {
    const name = promiseNames.input(index)
    if ((await context.promise(name).peek()) !== undefined || !(await settle(context, name, input))) continue
    const answered = context.promise<{ readonly error?: ErrorInfo }>(promiseNames.answer(index)).get()
    const over: ErrorInfo = { code: 'run-ended', runId: context.key }
    const ended = context.promise<RunReport>(promiseNames.ended).get()
    const answer = await RestatePromise.race([answered, ended.map(() => ({ error: over }))])
    if (answer?.error !== undefined) throw toTerminalError(answer.error)
    return
  }
}

async function cancel(worker: Worker, context: WorkflowSharedContext, reason: CancelReason): Promise<void> {
  await checkDrivenHere(worker, context)
  await settle(context, promiseNames.cancel, reason)
}

/** Rejects a run that the store has but Restate does not. Another host drives it, and would never read the promise. */
async function checkDrivenHere({ store }: Worker, context: WorkflowSharedContext): Promise<void> {
  const { key: runId } = context
  if (await hasStarted(context)) return
  const isKnown = await context.run('look up', async () => (await store.run(runId)) !== undefined)
  // The run may have started between the two reads.
  if (isKnown && !(await hasStarted(context))) throw toTerminalError({ code: 'run-unknown', runId })
}

async function hasStarted(context: WorkflowSharedContext): Promise<boolean> {
  return (await context.promise(promiseNames.started).peek()) !== undefined
}

/** Resolves a promise of the run. Returns false if another handler has resolved it first. */
async function settle(context: WorkflowSharedContext, name: string, value: unknown): Promise<boolean> {
  try {
    await context.promise(name).resolve(value)
    return true
  } catch (error) {
    if (error instanceof TerminalError && error.code === 409) return false
    throw error
  }
}
