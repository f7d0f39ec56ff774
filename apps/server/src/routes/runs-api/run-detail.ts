import type { Entry, EntryOf, RunRecord, Store } from '@parley/core'
import type { Runtime } from '@parley/engine'
import { loadRun } from '@parley/engine/journal'
import type { RunDetail } from '@parley/runs-api'

/** Describes a run: its record, how it began, what it has used so far and what it waits for. */
export async function toDetail(runtime: Runtime, record: RunRecord): Promise<RunDetail> {
  const { runId, scope } = record
  const store = runtime.store as Store
  const [entries, state, pending] = await Promise.all([
    store.read(runId),
    loadRun(store, runId),
    runtime.pending(runId, { scope }),
  ])
  const started = entries[0] as EntryOf<'run.started'>
  const { base, origin, parent: call, principal, context, metadata, variables, instructions, settings } = started
  return {
    ...record,
    rootRunId: call === undefined ? runId : await rootOf(store, call.runId),
    base,
    origin,
    call,
    principal,
    context,
    metadata,
    variables,
    instructions,
    settings,
    turns: state.turn,
    usage: state.usage,
    cost: state.cost,
    models: state.models,
    outcome: state.outcome,
    output: state.output?.value,
    requests: keptTurns(entries),
    approvals: pending.approvals.map(each => ({ ...each, runId: each.runId ?? runId })),
    clientCalls: pending.clientCalls.map(each => ({ ...each, runId: each.runId ?? runId })),
  }
}

/** Follows the calls that started child runs up to the run that no call has started. */
async function rootOf(store: Store, runId: string): Promise<string> {
  const [first] = await store.read(runId)
  const parent = first?.type === 'run.started' ? first.parent : undefined
  return parent === undefined ? runId : rootOf(store, parent.runId)
}

function keptTurns(entries: readonly Entry[]): readonly number[] {
  return [...new Set(entries.flatMap(entry => (entry.type === 'request.kept' ? [entry.turn] : [])))]
}
