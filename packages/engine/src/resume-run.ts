import { ParleyError, type RunFacts, type Store } from '@parley/core'
import { loadRun } from './load-run.ts'
import { openTools } from './open-tools.ts'
import { RunHandle } from './run-handle.ts'
import { RunScope } from './run-scope.ts'
import type { RuntimeContext } from './runtime-context.ts'

/**
 * An unfinished run, driven on from its last entry.
 * @throws ParleyError `run-unknown`, `run-ended`, `run-busy`, `agent-unknown`, `store-…`.
 */
export async function resumeRun(context: RuntimeContext, runId: string, force: boolean): Promise<RunHandle> {
  const { agents, clock, store, worker } = context
  if (store === undefined) throw new ParleyError({ code: 'run-unknown', runId })
  const record = await store.run(runId)
  if (record === undefined) throw new ParleyError({ code: 'run-unknown', runId })
  if (record.status !== 'running') throw new ParleyError({ code: 'run-ended', runId })
  const { sessionId, scope, agent } = record
  const prepared = agents.get(agent)
  const fence = await claimRun(context, store, { runId, force })
  const facts: RunFacts = { runId, sessionId, agent, scope, path: [] }
  const state = await loadRun(store, runId)
  const run = new RunScope({ facts, prepared, clock, state, target: { store, worker, fence } })
  return new RunHandle(run, () => {
    run.journal.record({ type: 'run.resumed', worker })
    return openTools(run)
  })
}

async function claimRun(
  { clock, worker, isWorkerGone }: RuntimeContext,
  store: Store,
  { runId, force }: { readonly runId: string; readonly force: boolean },
): Promise<number> {
  const first = await store.claim({ runId, worker, at: clock.now(), force })
  if (first.granted) return first.fence
  if (!isWorkerGone(first.worker)) throw new ParleyError({ code: 'run-busy', runId, worker: first.worker })
  const second = await store.claim({ runId, worker, at: clock.now(), force: true })
  if (second.granted) return second.fence
  throw new ParleyError({ code: 'run-busy', runId, worker: second.worker })
}
