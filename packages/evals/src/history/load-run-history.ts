import { ParleyError, type Entry, type EntryOf, type Store } from '@parley/core'

/** The journal of one run of a tree. */
export interface HistoryRun {
  readonly runId: string
  /** Name of the agent that the run started with. */
  readonly agent: string
  /** The run whose tool call started this one. Absent for the run at the top. */
  readonly parent?: { readonly runId: string; readonly callId: string } | undefined
  readonly entries: readonly Entry[]
}

/** The journals of a run and of every run below it. */
export interface RunHistory {
  readonly runId: string
  /** The run itself first, then each child run directly after the runs that started before it. */
  readonly runs: readonly HistoryRun[]
}

/**
 * Reads the journals of a run and of its child runs.
 * @throws ParleyError `run-unknown`, `store-…`.
 */
export async function loadRunHistory(store: Store, runId: string): Promise<RunHistory> {
  const runs: HistoryRun[] = []
  await collect(store, { runId, parent: undefined }, runs)
  if (runs.length === 0) throw new ParleyError({ code: 'run-unknown', runId })
  return { runId, runs }
}

async function collect(
  store: Store,
  { runId, parent }: Pick<HistoryRun, 'runId' | 'parent'>,
  runs: HistoryRun[],
): Promise<void> {
  const entries = await store.read(runId)
  const [first] = entries
  // The journal of the parent run names a child run before it exists.
  if (first?.type !== 'run.started') return
  runs.push({ runId, agent: first.agent, ...(parent === undefined ? {} : { parent }), entries })
  for (const { childRunId, callId } of entries.filter(isChildStart)) {
    await collect(store, { runId: childRunId, parent: { runId, callId } }, runs)
  }
}

function isChildStart(entry: Entry): entry is EntryOf<'agent.started'> {
  return entry.type === 'agent.started'
}
