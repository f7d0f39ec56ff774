import { createHash } from 'node:crypto'
import { createId, defineTool, refuseOption, systemClock, type Json, type Store } from '@parley/core'
import { createRuntime, type Runtime } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { defineWorkflow, type Workflow } from '@parley/workflow'
import type { EvalCase } from '../data/eval-case.ts'
import { loadCases } from '../data/load-cases.ts'
import type { Eval } from '../define/define-eval.ts'
import type { EvalResult } from './eval-result.ts'
import { resumeWhenFree } from './resume-when-free.ts'
import { checkRunEvalOptions, type RunEvalOptions } from './run-options.ts'
import { runTrials, type Plan } from './run-trials.ts'
import { createTrialAgent } from './trial-agent.ts'

/**
 * Runs an eval: each trial of a case is a run in the store of the runtime, and so is the eval itself. If a run of the same eval with
 * the same version, cases and scorers was interrupted, it continues: finished trials are not repeated, and model calls that ended
 * are not paid twice. A case that fails, or that cannot be scored, is part of the result.
 * @throws ParleyError `config-invalid` for invalid options or data, before anything runs; `run-busy` if another process runs the
 * same eval; `store-…`.
 * @throws RunFailedError If the eval itself does not complete, for example because `signal` cancelled it.
 */
export async function runEval<TInput, TOutput, TExpected>(
  definition: Eval<TInput, TOutput, TExpected>,
  options: RunEvalOptions = {},
): Promise<EvalResult> {
  checkRunEvalOptions(options)
  // Only the compiler distinguishes them: data, task and scorers fit each other.
  const given = definition as unknown as Eval
  const { runtime, filter = '' } = options
  const cases = (await loadCases(given.name, given.data)).filter(({ id }) => id.includes(filter))
  if (cases.length === 0)
    refuseOption('runEval.filter', `no case of '${given.name}' has an id that contains '${filter}'`)
  if (runtime !== undefined) return runIn(runtime, given, { cases, options })
  await using own = createRuntime({ store: createMemoryStore() })
  return await runIn(own, given, { cases, options })
}

const NEVER = new AbortController().signal

interface Selected {
  readonly cases: readonly EvalCase[]
  readonly options: RunEvalOptions
}

async function runIn(runtime: Runtime, definition: Eval, { cases, options }: Selected): Promise<EvalResult> {
  const { name } = definition
  const { store } = runtime
  if (store === undefined) return refuseOption('runEval.runtime', 'has no store; pass `store` to createRuntime')
  const { version = {}, fresh = false, onProgress, onResult, clock = systemClock, signal } = options
  const trial = createTrialAgent(definition, { cases: new Map(cases.map(each => [each.id, each])), store })
  const plan: Plan = { ...definition, ...given(options), cases, version, trialAgent: trial }
  let result: EvalResult | undefined
  const step = defineTool({
    name: 'run_trials',
    description: 'Runs the trials of the eval.',
    input: { type: 'object' },
    effect: 'idempotent',
    timeoutMs: 0x7fffffff,
    async execute(_, { run, signal: stop }) {
      result = await runTrials(runtime, plan, { runId: run.runId, signal: stop, onProgress, clock })
      await onResult?.(result)
      return summaryOf(result)
    },
  })
  const agentName = `eval-${name}`
  // As a value of the type `Workflow`, whose references the compiler need not follow.
  const workflow: Workflow = { name: agentName, steps: [{ type: 'tool', tool: 'run_trials' }] }
  const agent = defineWorkflow(workflow, { tools: [step] })
  const fingerprint = fingerprintOf(plan)
  const agents = [agent, trial]
  for (const each of agents) runtime.agents.register(each)
  try {
    const earlier = fresh ? undefined : await findInterrupted(store, { agent: agentName, fingerprint })
    const run =
      earlier === undefined
        ? runtime.run(agent, `Evaluates ${name}.`, {
            metadata: { 'parley.eval': { name, fingerprint } },
            runId: createId(clock.now()),
            signal,
          })
        : await resumeWhenFree(runtime, earlier, { clock, signal })
    await run.orThrow()
    // The step had ended before a crash, so the resumed run did not repeat it. All its trials have ended, and are read.
    result ??= await runTrials(runtime, plan, {
      runId: run.runId,
      signal: signal ?? NEVER,
      onProgress,
      clock,
    })
    return result
  } finally {
    for (const each of agents) runtime.agents.unregister(each.name)
  }
}

/** Returns the options that replace fields of the eval. */
function given({ trials, concurrency, maxCost }: RunEvalOptions): Partial<Plan> {
  return Object.fromEntries(
    Object.entries({ trials, concurrency, maxCost }).filter(([, value]) => value !== undefined),
  ) as Partial<Plan>
}

/** A text that two evals share if the results of one are results of the other. */
function fingerprintOf({ name, cases, scorers, trials = 1, version }: Plan): string {
  const { commit, code = commit } = version
  const thresholds = scorers.map(scorer => [scorer.name, scorer.threshold])
  const text = JSON.stringify([name, code, trials, thresholds, cases])
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** Finds the run of the same eval that did not end. */
async function findInterrupted(
  store: Store,
  { agent, fingerprint }: { readonly agent: string; readonly fingerprint: string },
): Promise<string | undefined> {
  for (const { runId } of await store.runs({ scope: 'default', agent, status: 'running' })) {
    const [first] = await store.read(runId, { limit: 1 })
    if (first?.type !== 'run.started') continue
    const { 'parley.eval': kept } = first.metadata ?? {}
    if ((kept as { readonly fingerprint?: unknown } | undefined)?.fingerprint === fingerprint) return runId
  }
  return undefined
}

function summaryOf({ name, cases, passed, costUsd }: EvalResult): Json {
  const count = (status: string): number => cases.filter(each => each.status === status).length
  return {
    name,
    passed,
    costUsd,
    cases: cases.length,
    failed: count('failed'),
    errors: count('error'),
    notRun: count('not-run'),
  }
}
