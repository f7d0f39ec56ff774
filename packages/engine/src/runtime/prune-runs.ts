import { ParleyError, checkDuration } from '@parley/core'
import { repeat } from './repeat.ts'
import type { PruneOptions, Retention } from './runtime-options.ts'
import type { RuntimePorts } from '../run-context/runtime-ports.ts'

type Pruned = Pick<RuntimePorts, 'store' | 'clock'>

/** Removes old runs that have ended. @throws ParleyError `config-invalid`. */
export async function pruneRuns(
  { store, clock }: Pruned,
  { olderThanMs, scope = 'default' }: PruneOptions,
): Promise<number> {
  checkDuration({ olderThanMs }, 'prune')
  if (store === undefined) return 0
  if (store.prune === undefined) {
    const detail = `'${store.name}' cannot remove runs`
    throw new ParleyError({ code: 'config-invalid', path: 'store', detail })
  }
  return store.prune({ scope, before: clock.now() - olderThanMs })
}

/** Prunes periodically. Returns a function that stops it. */
export function keepPruning(context: Pruned, retention: Retention | undefined): () => void {
  if (retention === undefined) return () => {}
  const { olderThanMs, scopes = ['default'], everyMs = 3_600_000 } = retention
  return repeat(context.clock, everyMs, async () => {
    for (const scope of scopes) await pruneRuns(context, { olderThanMs, scope })
  })
}
