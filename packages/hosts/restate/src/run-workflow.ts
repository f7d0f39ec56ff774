import { ParleyError, type CancelReason, type ErrorInfo } from '@parley/core'
import { cancelReasonSchema } from '@parley/core/schema'
import { checkDecision, loadRun } from '@parley/engine'
import {
  handlers,
  RestatePromise,
  serde,
  TerminalError,
  workflow,
  type WorkflowContext,
  type WorkflowSharedContext,
} from '@restatedev/restate-sdk'
import { CallRounds, tellCaller } from './call-rounds.ts'
import { HeldRun } from './held-run.ts'
import { RunEars } from './run-ears.ts'
import {
  runOrderSchema,
  sentDecisionSchema,
  sentInputSchema,
  type RunOrder,
  type RunReport,
  type SentDecision,
  type SentInput,
} from './run-order.ts'
import { promiseNames, RUN_SERVICE } from './service-names.ts'
import { toTerminalError } from './terminal-error.ts'
import type { Worker } from './worker.ts'

/** How often a sender whose connection broke may ask again and be given the same answer. */
const ANSWER_RETENTION_MS = 3_600_000

/** One run: a workflow named by the run's id, so that it begins once. */
export function createRunWorkflow(worker: Worker, retentionMs: number) {
  return workflow({
    name: RUN_SERVICE,
    handlers: {
      run: handlers.workflow.workflow(
        // Its session calls it, when its turn has come.
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
      say: handlers.workflow.shared(
        { input: serde.schema(sentInputSchema) },
        (context: WorkflowSharedContext, input: SentInput) => say(worker, context, input),
      ),
      result: handlers.workflow.shared(
        { idempotencyRetention: ANSWER_RETENTION_MS },
        (context: WorkflowSharedContext): Promise<RunReport> => context.promise<RunReport>(promiseNames.ended).get(),
      ),
    },
    options: {
      // A run that waits needs no process; a step may take its time.
      abortTimeout: worker.maxStepMs,
      workflowRetention: retentionMs,
      asTerminalError: error => (error instanceof Refusal ? toTerminalError(error.info) : undefined),
    },
  })
}

export type RunWorkflow = ReturnType<typeof createRunWorkflow>

/** A failure that no other attempt would get over. */
class Refusal extends Error {
  readonly info: ErrorInfo

  constructor(info: ErrorInfo) {
    super(info.code)
    this.info = info
  }
}

/**
 * Takes the steps of a run, and runs its calls, each as one durable operation, until it has ended. What Restate keeps of an
 * operation is how to go on after it; what was done is in the journal, from which a repeated one is decided anew.
 */
async function driveRun(worker: Worker, context: WorkflowContext, order: RunOrder): Promise<RunReport> {
  const run = new HeldRun(worker, order)
  const { attemptCompletedSignal } = context.request()
  attemptCompletedSignal.addEventListener('abort', () => void run.release(), { once: true })
  const ears = new RunEars(context, run)
  const attempt = { context, order, run, ears }
  await ears.through(context.promise(promiseNames.begun).resolve(true))
  let decided: SentDecision | undefined
  for (let index = 1; ; index++) {
    const step = { cancel: ears.cancel, decided }
    const report = await ears.during(context.run(`step ${index}`, () => run.step(step)))
    if (report.type === 'ended' || report.type === 'refused') {
      await ears.through(context.promise<RunReport>(promiseNames.ended).resolve(report))
      return report
    }
    if (report.type === 'calls') for (const batch of report.batches) await new CallRounds(attempt).run(batch)
    if (report.type === 'waits') tellCaller(context, order)
    decided = report.type === 'waits' ? await ears.wait(report) : undefined
  }
}

async function decide({ store, runtime }: Worker, context: WorkflowSharedContext, sent: SentDecision): Promise<void> {
  const { key: runId } = context
  const { approvalId, by } = sent
  if (!(await hasBegun(context))) throw toTerminalError({ code: 'run-unknown', runId })
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

async function say(worker: Worker, context: WorkflowSharedContext, input: SentInput): Promise<void> {
  await checkOurs(worker, context)
  for (let index = 0; ; index++) {
    const name = promiseNames.input(index)
    if ((await context.promise(name).peek()) !== undefined || !(await settle(context, name, input))) continue
    const heard = context.promise<{ readonly error?: ErrorInfo }>(promiseNames.heard(index)).get()
    const over: ErrorInfo = { code: 'run-ended', runId: context.key }
    const ended = context.promise<RunReport>(promiseNames.ended).get()
    const answer = await RestatePromise.race([heard, ended.map(() => ({ error: over }))])
    if (answer?.error !== undefined) throw toTerminalError(answer.error)
    return
  }
}

async function cancel(worker: Worker, context: WorkflowSharedContext, reason: CancelReason): Promise<void> {
  await checkOurs(worker, context)
  await settle(context, promiseNames.cancel, reason)
}

/** Whether Restate has the run, begun or not: one that something else drives would never hear. */
async function checkOurs({ store }: Worker, context: WorkflowSharedContext): Promise<void> {
  const { key: runId } = context
  if (await hasBegun(context)) return
  const elsewhere = await context.run('look', async () => (await store.run(runId)) !== undefined)
  // It may have begun between the two looks.
  if (elsewhere && !(await hasBegun(context))) throw toTerminalError({ code: 'run-unknown', runId })
}

async function hasBegun(context: WorkflowSharedContext): Promise<boolean> {
  return (await context.promise(promiseNames.begun).peek()) !== undefined
}

/** Resolves a promise of the run, unless somebody was faster. */
async function settle(context: WorkflowSharedContext, name: string, value: unknown): Promise<boolean> {
  try {
    await context.promise(name).resolve(value)
    return true
  } catch (error) {
    if (error instanceof TerminalError && error.code === 409) return false
    throw error
  }
}
