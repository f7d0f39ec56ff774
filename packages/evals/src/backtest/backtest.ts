import {
  checkOptions,
  messageText,
  ParleyError,
  refuseOption,
  Semaphore,
  type EntryOf,
  type OptionKinds,
  type RunQuery,
  type RunRecord,
  type Store,
} from '@parley/core'
import type { Agent, RuntimeOptions } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import type { BacktestChange } from './backtest-change.ts'
import type { BacktestedRun, BacktestReport, BacktestTotals, BacktestVerdict, SkippedRun } from './backtest-report.ts'
import { compareEnds, firstDifference } from './judge-run.ts'
import { loadRecordedRun, type RecordedRun, type RunSummary } from './recorded-run.ts'
import { repeatRun, type RepeatRunOptions } from './repeat-run.ts'

/** Options of `backtest`. */
export interface BacktestOptions {
  /** The store with the recorded runs. It is only read. */
  readonly store: Store
  /** Which runs: their ids, or a selection. Child runs are repeated with their parent runs. @default the newest 100 of the scope `default` */
  readonly runs?: readonly string[] | Partial<Omit<RunQuery, 'roots' | 'relation'>> | undefined
  /** The agents of the runs, or a function that finds them by the first entry of a run. */
  readonly agents:
    | readonly Agent[]
    | ((started: EntryOf<'run.started'>) => readonly Agent[] | Promise<readonly Agent[]>)
  /** What is different. @default nothing: the agents themselves have changed */
  readonly change?: BacktestChange | undefined
  /** Whether `read` tools run if history has no result. Other tools never run. @default false */
  readonly allowRead?: boolean | undefined
  /** Gives a run a score. A higher one is better. @default runs are compared by their status and their answer */
  readonly score?: ((run: RunSummary, recorded: RecordedRun) => number | Promise<number>) | undefined
  /** Where the new runs are kept. @default in memory */
  readonly results?: Store | undefined
  /** Models by name, for runs that chose one. @default none */
  readonly models?: RuntimeOptions['models']
  /** Providers of models, for runs that chose one as `provider/id`. @default none */
  readonly providers?: RuntimeOptions['providers']
  /** Runs at the same time. @default 4 */
  readonly concurrency?: number | undefined
  /** Called after each run. */
  readonly onProgress?: ((progress: { readonly done: number; readonly total: number }) => void) | undefined
  /** Aborting it stops the backtest. The promise rejects with its reason. */
  readonly signal?: AbortSignal | undefined
}

const OPTIONS: OptionKinds<BacktestOptions> = {
  store: 'store!',
  runs: 'list or object',
  agents: 'list or function!',
  change: { model: 'model', instructions: 'string', agents: 'strings' },
  allowRead: 'boolean',
  score: 'function',
  results: 'store',
  models: 'object',
  providers: 'list',
  concurrency: 'number',
  onProgress: 'function',
  signal: 'signal',
}

/**
 * Repeats recorded runs with a change. What tools returned, approvers decided and clients submitted comes from the journals,
 * by the tool and its input. A run that asks for anything else stops there and counts as diverged. The store of the runs is
 * only read.
 * @throws ParleyError `config-invalid` if no run matches; `agent-unknown`; `run-unknown`; `store-…`.
 */
export async function backtest(options: BacktestOptions): Promise<BacktestReport> {
  checkOptions('backtest', options, OPTIONS)
  const { store, results = createMemoryStore(), concurrency = 4, onProgress, signal } = options
  if (!(Number.isInteger(concurrency) && concurrency > 0))
    refuseOption('backtest.concurrency', `is ${concurrency}; must be a positive integer`)
  if (results === store) refuseOption('backtest.results', 'is the store of the recorded runs; must be another one')
  const records = await selectRuns(store, options.runs)
  const places = new Semaphore(concurrency)
  let done = 0
  const all = await Promise.all(
    records.map(async record => {
      const leave = await places.acquire({ stopped: false, onStop: () => {}, offStop: () => {} })
      try {
        signal?.throwIfAborted()
        return await testRun(record, options, results)
      } finally {
        leave?.()
        onProgress?.({ done: ++done, total: records.length })
      }
    }),
  )
  return toReport(all)
}

async function selectRuns(store: Store, runs: BacktestOptions['runs'] = {}): Promise<readonly RunRecord[]> {
  if (Array.isArray(runs)) return Promise.all((runs as readonly string[]).map(runId => findRun(store, runId)))
  const query: RunQuery = { scope: 'default', ...(runs as Partial<RunQuery>), roots: true }
  const found = await store.runs(query)
  const records = found.filter(({ relation }) => relation !== 'compaction')
  if (records.length > 0) return records
  const { agent, since, scope } = query
  const wanted = [
    agent === undefined ? '' : ` of the agent '${agent}'`,
    since === undefined ? '' : ` since ${new Date(since).toISOString()}`,
  ].join('')
  return refuseOption('backtest.runs', `selects no run: the store has none${wanted} in the scope '${scope}'`)
}

async function findRun(store: Store, runId: string): Promise<RunRecord> {
  const record = await store.run(runId)
  if (record === undefined) throw new ParleyError({ code: 'run-unknown', runId })
  return record
}

type Tested = { readonly run: BacktestedRun } | { readonly skipped: SkippedRun }

async function testRun(record: RunRecord, options: BacktestOptions, results: Store): Promise<Tested> {
  const { runId, status, agent } = record
  const skip = (reason: string, isDamaged: boolean): Tested => ({ skipped: { runId, reason, isDamaged } })
  if (status === 'running' || status === 'suspended') return skip(`is ${status}, so its result is not known yet`, false)
  let recorded: RecordedRun
  try {
    recorded = await loadRecordedRun(options.store, record)
  } catch (error) {
    return skip(error instanceof Error ? error.message : String(error), true)
  }
  const { agents: given } = options
  const agents = typeof given === 'function' ? await given(recorded.started) : given
  const known = agents.map(({ name }) => name)
  if (!known.includes(agent)) throw new ParleyError({ code: 'agent-unknown', agent, known })
  return { run: await compare(recorded, { ...repeating(options, results), agents }, options.score) }
}

function repeating(options: BacktestOptions, results: Store): Omit<RepeatRunOptions, 'agents'> {
  const { change = {}, allowRead = false, models, providers, signal } = options
  return { change, allowRead, models, providers, signal, results }
}

async function compare(
  recorded: RecordedRun,
  options: RepeatRunOptions,
  score: BacktestOptions['score'],
): Promise<BacktestedRun> {
  const { record, summary: before, input } = recorded
  const { summary: after, divergence } = await repeatRun(recorded, options)
  const base = {
    runId: record.runId,
    agent: record.agent,
    input: messageText(input),
    before,
    after,
    firstDifference: firstDifference(before, after),
  }
  if (divergence !== undefined) return { ...base, verdict: 'diverged', divergence }
  if (score === undefined) return { ...base, verdict: compareEnds(before, after) }
  const scores = { before: await score(before, recorded), after: await score(after, recorded) }
  const verdict = scores.after === scores.before ? 'same' : scores.after > scores.before ? 'better' : 'worse'
  return { ...base, verdict, scores }
}

function toReport(all: readonly Tested[]): BacktestReport {
  const runs = all.flatMap(each => ('run' in each ? [each.run] : []))
  const counts: Record<BacktestVerdict, number> = { same: 0, better: 0, worse: 0, different: 0, diverged: 0 }
  for (const { verdict } of runs) counts[verdict] += 1
  const whole = runs.filter(({ verdict }) => verdict !== 'diverged')
  return {
    runs,
    skipped: all.flatMap(each => ('skipped' in each ? [each.skipped] : [])),
    counts,
    before: totalOf(whole.map(run => run.before)),
    after: totalOf(whole.map(run => run.after)),
  }
}

function totalOf(runs: readonly RunSummary[]): BacktestTotals {
  const costs = runs.flatMap(({ cost }) => (cost === undefined ? [] : [cost.usd]))
  const add = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0)
  return {
    ...(costs.length === 0 ? {} : { costUsd: add(costs) }),
    modelMs: add(runs.map(({ modelMs }) => modelMs)),
    modelCalls: add(runs.map(({ modelCalls }) => modelCalls)),
  }
}
