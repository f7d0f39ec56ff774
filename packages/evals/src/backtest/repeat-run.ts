import { defineMiddleware, type Middleware, type Store, type UserMessage } from '@parley/core'
import { createRuntime, type Agent, type Run, type Runtime, type RuntimeOptions, type Suspended } from '@parley/engine'
import { createRecordedResults, loadRunHistory, type RecordedResults, type ResultMiss } from '../history/index.ts'
import { answerFromHistory } from './answer-from-history.ts'
import { applyChange, type BacktestChange } from './backtest-change.ts'
import type { Divergence } from './backtest-report.ts'
import { createRecordedDecisions, type RecordedDecisions } from './recorded-decisions.ts'
import { summarize, type RecordedRun, type RunSummary } from './recorded-run.ts'

export interface RepeatRunOptions {
  readonly agents: readonly Agent[]
  readonly change: BacktestChange
  readonly allowRead: boolean
  /** Where the new run is kept. It is never the store of the recorded run. */
  readonly results: Store
  /** Names of models, for runs that chose one. */
  readonly models: RuntimeOptions['models']
  readonly providers: RuntimeOptions['providers']
  readonly signal: AbortSignal | undefined
}

/** A new run. */
export interface RepeatedRun {
  readonly summary: RunSummary
  readonly divergence?: Divergence | undefined
}

/** Repeats a recorded run with the change. Everything that comes from outside comes from history. */
export async function repeatRun(recorded: RecordedRun, options: RepeatRunOptions): Promise<RepeatedRun> {
  const { record, history } = recorded
  const { agents, change, allowRead, results: store, models, providers } = options
  const results = createRecordedResults(history)
  const decisions = createRecordedDecisions(history)
  let divergence: Divergence | undefined
  let current: Run | undefined
  const diverge = (found: Divergence): void => {
    divergence ??= found
    void current?.cancel({ kind: 'guard', detail: found.reason })
  }
  const onMiss = (miss: ResultMiss): void => diverge(toDivergence('tool', miss))
  const replace = answerFromHistory({
    results,
    allowRead,
    onMiss,
    change: agent => applyChange(agent, record.agent, change),
  })
  const runtime = createRuntime({
    store,
    agents: agents.map(replace),
    defaults: { middleware: [replaySteering(recorded)] },
    ...(models === undefined ? {} : { models }),
    ...(providers === undefined ? {} : { providers }),
    onUnreadFailure: () => {},
  })
  try {
    current = start(runtime, recorded, options)
    const { runId } = current
    let result = await current.result
    while (result.status === 'suspended') {
      const answered = await answer(runtime, { runId, suspended: result, results, decisions })
      if ('missing' in answered) divergence ??= answered.missing
      const next = 'missing' in answered ? await runtime.cancel(runId) : answered.next
      result = await next.result
    }
    const summary = summarize(await loadRunHistory(store, runId), result.status)
    return { summary, ...(divergence === undefined ? {} : { divergence }) }
  } finally {
    await runtime.close()
  }
}

interface Waiting {
  readonly runId: string
  readonly suspended: Suspended
  readonly results: RecordedResults
  readonly decisions: RecordedDecisions
}

/** Gives a suspended run what it waits for, from history. */
async function answer(
  runtime: Runtime,
  { runId, suspended, results, decisions }: Waiting,
): Promise<{ readonly next: Run } | { readonly missing: Divergence }> {
  const [approval] = suspended.approvals
  if (approval !== undefined) {
    const { name: tool, input, approvalId } = approval
    const decided = decisions.take(tool, input)
    if (decided === undefined) return { missing: { kind: 'approval', tool, input, reason: NO_DECISION } }
    return { next: await runtime.decide(runId, approvalId, decided) }
  }
  const [call] = suspended.clientCalls
  if (call === undefined) return { next: await runtime.resume(runId) }
  const looked = results.take(call.name, call.input)
  if (!looked.found) return { missing: toDivergence('client', looked.miss) }
  const { outcome } = looked.result
  // The client can only have submitted a result or a failure.
  const result = outcome.type === 'ok' || outcome.type === 'error' ? outcome : ''
  return { next: await runtime.submitToolResult(call.runId ?? runId, call.callId, result) }
}

const NO_DECISION = 'No approver decided about this call in the recorded run'

function toDivergence(kind: Divergence['kind'], { name, input, reason }: ResultMiss): Divergence {
  const reasons = {
    'tool-not-called': `The recorded run has no result of ${name}`,
    'input-not-called': `The recorded run called ${name}, but not with this input`,
    'used-up': `The recorded run made this call of ${name} fewer times`,
  }
  return { kind, tool: name, input, reason: reasons[reason] }
}

function start(runtime: Runtime, recorded: RecordedRun, { change, signal }: RepeatRunOptions): Run {
  const { record, started, input, before } = recorded
  const { principal, variables, context, instructions, settings, limits, clientTools, acceptClientTools } = started
  const { workspace, chosenModel } = started
  const run = runtime.run(record.agent, input, {
    history: before,
    principal,
    variables,
    context,
    instructions,
    settings,
    limits: limits === undefined ? undefined : toLimits(limits),
    clientTools,
    acceptClientTools,
    workspace,
    model: change.model === undefined ? chosenModel : undefined,
    signal,
  })
  for (const message of messagesOf(recorded, 'follow-up')) void run.followUp(message.message).catch(() => {})
  return run
}

/** JSON has no infinity, so a journal has the text `unlimited`. */
function toLimits(kept: NonNullable<RecordedRun['started']['limits']>) {
  return Object.fromEntries(
    Object.entries(kept).map(([name, limit]) => [name, limit === 'unlimited' ? Infinity : limit]),
  )
}

interface LateMessage {
  readonly message: UserMessage
  /** Number of model calls before it. */
  readonly turns: number
}

function messagesOf({ history }: RecordedRun, source: 'steering' | 'follow-up'): readonly LateMessage[] {
  const found: LateMessage[] = []
  let turns = 0
  for (const entry of history.runs[0]?.entries ?? []) {
    if (entry.type === 'model.called') turns += 1
    if (entry.type === 'message.appended' && entry.source === source && entry.message.role === 'user')
      found.push({ message: entry.message, turns })
  }
  return found
}

/** Steers the new run after the same number of model calls as the recorded run. */
function replaySteering(recorded: RecordedRun): Middleware {
  const waiting = [...messagesOf(recorded, 'steering')]
  return defineMiddleware('backtest-steering', run => {
    if (run.path.length > 0) return {}
    let turns = 0
    return {
      beforeTurn({ turn }) {
        turns = turn
      },
      steer() {
        const due = waiting.filter(message => message.turns <= turns)
        waiting.splice(0, due.length)
        return due.map(({ message }) => message)
      },
    }
  })
}
