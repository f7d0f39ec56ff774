import { createHash } from 'node:crypto'
import { ParleyError, totalTokens, type Clock, type Store } from '@parley/core'
import { RunFailedError, type Agent, type Run, type RunResult, type Runtime } from '@parley/engine'
import type { EvalCase } from '../data/eval-case.ts'
import type { Eval } from '../define/define-eval.ts'
import type { EvalResult, EvalVersion, ScoreResult, TrialResult } from './eval-result.ts'
import { resumeWhenFree } from './resume-when-free.ts'
import type { EvalProgress } from './run-options.ts'
import { sumUpCase } from './sum-up-case.ts'
import type { TaskRecord } from './trial-steps.ts'

export interface Plan extends Pick<Eval, 'name' | 'scorers' | 'trials' | 'concurrency' | 'maxCost'> {
  readonly cases: readonly EvalCase[]
  readonly version: EvalVersion
  readonly trialAgent: Agent
}

export interface TrialsOptions {
  /** The run of the eval. The ids of its trials follow from it, so that a resumed eval finds them. */
  readonly runId: string
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly onProgress: ((progress: EvalProgress) => void) | undefined
}

interface Ended {
  readonly result: TrialResult
  /** What the trial and its judges cost. `undefined` if a price is unknown. */
  readonly costUsd: number | undefined
}

/** Runs the trials that have not ended, several at a time, until all have ended or the cost is reached. */
export async function runTrials(runtime: Runtime, plan: Plan, options: TrialsOptions): Promise<EvalResult> {
  const { cases, trials = 1, concurrency = 4, maxCost = Infinity } = plan
  const { runId, signal, onProgress, clock } = options
  const store = runtime.store ?? fail('the runtime of an eval has a store')
  const startedAt = (await store.run(runId))?.startedAt ?? clock.now()
  const results = new Map<string, TrialResult[]>(cases.map(({ id }) => [id, []]))
  const progress = { runId, total: cases.length * trials, done: 0, resumed: 0, costUsd: 0 }
  let stopped: string | undefined

  const record = (each: EvalCase, { result, costUsd }: Ended, resumed: boolean): void => {
    const done = results.get(each.id) ?? []
    done.push(result)
    done.sort((a, b) => a.trial - b.trial)
    progress.done += 1
    progress.resumed += resumed ? 1 : 0
    progress.costUsd += costUsd ?? 0
    if (costUsd === undefined && maxCost !== Infinity)
      stopped ??= `the price of a model is unknown, so the cost of $${maxCost} cannot be kept; set \`pricing\` in the model's info`
    const ended = done.length === trials ? { ended: sum(each) } : {}
    onProgress?.({ ...progress, ...ended })
  }
  const sum = (each: EvalCase) =>
    sumUpCase(each, results.get(each.id) ?? [], { scorers: plan.scorers, planned: trials })

  const open: Job[] = []
  onProgress?.({ ...progress })
  for (const each of cases) {
    for (let trial = 1; trial <= trials; trial += 1) {
      const job: Job = { each, trial, runId: trialIdOf(runId, each.id, trial) }
      const status = (await store.run(job.runId))?.status
      const isEnded = status !== undefined && status !== 'running' && status !== 'suspended'
      if (isEnded) record(each, await readTrial(store, job), true)
      else open.push({ ...job, begun: status !== undefined })
    }
  }
  const queue = open.values()
  const work = async (): Promise<void> => {
    // All workers share the iterator, so each trial is taken once.
    for (const job of queue) {
      if (progress.costUsd >= maxCost) stopped ??= `the cost reached $${maxCost}`
      if (stopped !== undefined) return
      signal.throwIfAborted()
      record(job.each, await runTrial(runtime, { ...job, plan, evalId: runId, signal, clock }), false)
    }
  }
  await settleAll(Array.from({ length: Math.min(concurrency, open.length) }, work))
  const summed = cases.map(sum)
  return {
    format: 1,
    name: plan.name,
    runId,
    version: plan.version,
    startedAt,
    endedAt: clock.now(),
    trials,
    scorers: plan.scorers.map(({ name, threshold }) => ({ name, threshold })),
    cases: summed,
    costUsd: progress.costUsd,
    ...(progress.done === progress.total || stopped === undefined ? {} : { stopped }),
    passed: summed.every(({ status }) => status === 'passed'),
  }
}

interface Job {
  readonly each: EvalCase
  readonly trial: number
  readonly runId: string
  /** Whether an earlier process began the trial. */
  readonly begun?: boolean
}

interface TrialJob extends Job {
  readonly plan: Plan
  readonly evalId: string
  readonly signal: AbortSignal
  readonly clock: Clock
}

async function runTrial(runtime: Runtime, job: TrialJob): Promise<Ended> {
  const { each, trial, runId, plan, evalId, signal, begun = false } = job
  const { name, trialAgent } = plan
  const start = (): Run =>
    runtime.run(trialAgent, `${each.id}, trial ${trial}`, {
      runId,
      variables: { case: each.id, trial },
      metadata: { 'parley.eval': { name, runId: evalId, case: each.id, trial } },
      signal,
    })
  const result = await (begun ? await resumeWhenFree(runtime, runId, job) : start()).result
  // The process lost the run, for example because the store failed: the eval cannot end, and is resumed later.
  if (result.status === 'interrupted') throw new ParleyError(result.error)
  signal.throwIfAborted()
  // The eval has no approver, and it must end.
  if (result.status === 'suspended') await (await runtime.cancel(runId)).result
  return toEnded(job, result)
}

function toEnded({ trial, runId }: Job, result: RunResult): Ended {
  const { usage, cost } = result
  const costUsd = cost?.usd ?? (totalTokens(usage) === 0 ? 0 : undefined)
  const record = result.status === 'completed' ? recordOf(result.output) : { error: new RunFailedError(result).message }
  return { costUsd, result: { trial, runId, ...toResult(record), ...(costUsd === undefined ? {} : { costUsd }) } }
}

/** Reads the result of a trial that has ended from its journal. */
async function readTrial(store: Store, { trial, runId }: Job): Promise<Ended> {
  const entries = await store.read(runId)
  const end = entries.at(-1)
  if (end?.type !== 'run.ended') return fail(`the run ${runId} has ended without its last entry`)
  const costUsd = end.cost?.usd ?? (totalTokens(end.usage) === 0 ? 0 : undefined)
  const output = entries.findLast(entry => entry.type === 'output.accepted')?.value
  const record =
    end.outcome.status === 'completed' ? recordOf(output) : { error: `the trial ended as ${end.outcome.status}` }
  return { costUsd, result: { trial, runId, ...toResult(record), ...(costUsd === undefined ? {} : { costUsd }) } }
}

type TrialRecord = { readonly task: TaskRecord; readonly scores: readonly ScoreResult[] } | { readonly error: string }

function recordOf(output: unknown): TrialRecord {
  // The workflow of the trial made it.
  return (output as { readonly result: TrialRecord }).result
}

function toResult(record: TrialRecord): Omit<TrialResult, 'trial' | 'runId' | 'costUsd'> {
  if ('error' in record) return { error: record.error, durationMs: 0, scores: [] }
  const { task, scores } = record
  const { output, error, durationMs } = task
  return { ...(error === undefined ? { output } : { error }), durationMs, scores }
}

/** The id of a trial's run. Ids of cases may be long, so it has their hash. */
function trialIdOf(runId: string, caseId: string, trial: number): string {
  const hash = createHash('sha256').update(caseId).digest('hex').slice(0, 16)
  return `${runId}.${hash}.${trial}`
}

/** Waits for all, so that no trial works on after the eval has failed, and throws the first error. */
async function settleAll(work: readonly Promise<void>[]): Promise<void> {
  const settled = await Promise.allSettled(work)
  const failed = settled.find(each => each.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

function fail(detail: string): never {
  throw new ParleyError({ code: 'internal', detail })
}
