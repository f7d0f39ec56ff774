import {
  addCost,
  addUsage,
  defineTool,
  isJson,
  ParleyError,
  ZERO_USAGE,
  type Cost,
  type Delegate,
  type Json,
  type Store,
  type Tool,
  type ToolContext,
} from '@parley/core'
import { loadRunMessages } from '@parley/engine/journal'
import { readCalls } from '../../trajectory/made-call.ts'
import { toText } from '../judge/describe-sample.ts'
import type { EvalCase } from '../data/eval-case.ts'
import type { Task } from '../define/task.ts'
import type { Sample, SampleRun } from '../scorers/sample.ts'
import type { Scorer } from '../scorers/scorer.ts'
import { activeMs } from './active-ms.ts'
import type { ScoreResult } from './eval-result.ts'

export interface TrialParts {
  readonly cases: ReadonlyMap<string, EvalCase>
  readonly task: Task
  readonly scorers: readonly Scorer[]
  readonly store: Store
}

/** What the step `run_task` records. */
export interface TaskRecord {
  readonly output?: Json
  readonly error?: string
  readonly runIds: readonly string[]
  readonly durationMs: number
}

interface TrialInput {
  readonly case: string
  readonly trial: number
}

/** Timeout of the steps. The agents that they run have limits of their own. */
const NO_TIMEOUT = 0x7fffffff

/** The step that makes the output. A failure of the task is a result of the step, so that the eval continues. */
export function createTaskStep({ cases, task, store }: TrialParts): Tool {
  return defineTool({
    name: 'run_task',
    description: 'Runs the task of the eval for a case.',
    input: { type: 'object' },
    effect: 'idempotent',
    timeoutMs: NO_TIMEOUT,
    async execute(input, context): Promise<TaskRecord> {
      const { case: id, trial } = input as TrialInput
      const { signal } = context
      const runIds: string[] = []
      const delegate: Delegate = async request => {
        const result = await delegateOf(context)(request)
        runIds.push(result.runId)
        return result
      }
      const from = performance.now()
      const outcome = await settle(async () => {
        const { metadata, input: given } = caseOf(cases, id)
        return asJson(await task({ id, input: given, metadata, trial, signal, delegate }))
      }, signal)
      const agentMs = await activeMs(store, runIds)
      const durationMs = runIds.length === 0 ? performance.now() - from : agentMs
      return { ...outcome, runIds, durationMs }
    },
  })
}

/** The step that scores the output. A scorer that throws has an error instead of a score. */
export function createScoreStep({ cases, scorers, store }: TrialParts): Tool {
  return defineTool({
    name: 'score_output',
    description: 'Scores the output of the task.',
    input: { type: 'object' },
    effect: 'idempotent',
    timeoutMs: NO_TIMEOUT,
    async execute(input, context): Promise<readonly ScoreResult[]> {
      const { case: id, trial, task } = input as TrialInput & { readonly task: TaskRecord }
      if (task.error !== undefined) return []
      const { input: given, expected, metadata } = caseOf(cases, id)
      const { output } = task
      const run = await readRun(store, task)
      const sample: Sample = { id, input: given, output, text: toText(output), expected, metadata, trial, run }
      return Promise.all(scorers.map(scorer => scoreWith(scorer, sample, context)))
    },
  })
}

async function scoreWith(scorer: Scorer, sample: Sample, context: ToolContext): Promise<ScoreResult> {
  const { name } = scorer
  let count = 0
  // Scorers run at the same time, so the order of their requests says nothing about whose they are.
  const delegate: Delegate = request =>
    delegateOf(context)({ ...request, key: `${name}/${request.key ?? String(count++)}` })
  const { signal } = context
  const outcome = await settle(async () => {
    const value = await scorer.score(sample, { delegate, signal })
    const { score, reason } = typeof value === 'object' ? value : { score: value }
    const number = Number(score)
    if (!(number >= 0 && number <= 1))
      throw new Error(`the scorer returned ${String(score)}; must be 0 to 1, or a boolean`)
    return reason === undefined ? { score: number } : { score: number, reason }
  }, signal)
  return 'error' in outcome ? { name, error: outcome.error } : { name, ...outcome.output }
}

/** Returns the output or the error text. Throws what must stop the run: a suspension, and a stop by the runtime. */
async function settle<T>(work: () => Promise<T>, signal: AbortSignal): Promise<{ output: T } | { error: string }> {
  try {
    return { output: await work() }
  } catch (error) {
    if (signal.aborted || ParleyError.is(error, 'run-suspended')) throw error
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

function asJson(output: unknown): Json {
  if (isJson(output)) return output as Json
  throw new Error(`the task returned ${output === undefined ? 'undefined' : 'a value that is not JSON'}; must be JSON`)
}

function caseOf(cases: ReadonlyMap<string, EvalCase>, id: string): EvalCase {
  const found = cases.get(id)
  if (found === undefined) throw new Error(`the case '${id}' is no longer in the data`)
  return found
}

function delegateOf({ delegate }: ToolContext): Delegate {
  if (delegate === undefined) throw new Error('a trial needs a runtime')
  return delegate
}

/** Reads what the runs of a task did from their journals. */
async function readRun(store: Store, { runIds, durationMs }: TaskRecord): Promise<SampleRun> {
  let usage = ZERO_USAGE
  let cost: Cost | undefined
  let turns = 0
  const messages = []
  for (const runId of runIds) {
    const entries = await store.read(runId)
    const end = entries.at(-1)
    if (end?.type === 'run.ended') {
      usage = addUsage(usage, end.usage)
      cost = addCost(cost, end.cost)
    }
    turns += entries.filter(({ type }) => type === 'model.called').length
    messages.push(...(await loadRunMessages(store, runId)).map(({ message }) => message))
  }
  return { runIds, messages, calls: readCalls(messages), usage, cost, turns, durationMs }
}
