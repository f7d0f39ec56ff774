import type { Entry, Store } from '@parley/core'

/** The names of the runs of one tree. They are the same in each process and each repetition; ids of runs are not. */
export interface RunNames {
  nameOf(runId: string): string
  /** Learns the names of the child runs that these entries of a run start. */
  learn(runId: string, entries: readonly Entry[]): void
}

/** Creates the names, from the journals that a store already has. */
export async function loadRunNames(
  store: Store,
  rootId: string,
  onName: (name: string, runId: string) => void,
): Promise<RunNames> {
  const names = new Map([[rootId, '']])
  const learn = (runId: string, entries: readonly Entry[]): readonly string[] =>
    entries.flatMap(entry => {
      if (entry.type !== 'agent.started') return []
      if (names.has(entry.childRunId)) return []
      const parent = names.get(runId) ?? ''
      const name = `${parent}${parent === '' ? '' : '>'}${entry.callId}${entry.key}`
      names.set(entry.childRunId, name)
      onName(name, entry.childRunId)
      return [entry.childRunId]
    })
  const visit = async (runId: string): Promise<void> => {
    for (const child of learn(runId, await store.read(runId))) await visit(child)
  }
  onName('', rootId)
  await visit(rootId)
  return { nameOf: runId => names.get(runId) ?? runId, learn: (runId, entries) => void learn(runId, entries) }
}
