import { ParleyError, type RunRecord, type Store } from '@parley/core'

/**
 * A run by its id, by the end of it, or the `last` one that is no sub-agent's.
 * @throws ParleyError `run-unknown`, also when several ids end like that.
 */
export async function findRun(store: Store, wanted: string): Promise<RunRecord> {
  const exact = wanted === 'last' ? undefined : await store.run(wanted)
  if (exact !== undefined) return exact
  const runs = await store.runs({ scope: 'default', limit: 10_000 })
  const matches =
    wanted === 'last'
      ? runs.filter(({ relation }) => relation !== 'sub-agent').slice(0, 1)
      : runs.filter(({ runId }) => wanted.length >= 4 && runId.endsWith(wanted))
  const [found] = matches
  if (found === undefined || matches.length > 1) throw new ParleyError({ code: 'run-unknown', runId: wanted })
  return found
}
