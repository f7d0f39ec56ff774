import { ParleyError } from '@parley/core'
import { loadSession } from '../run-context/load-run.ts'
import type { StartRequest } from './start-run.ts'
import type { CompactOptions } from './run-options.ts'
import type { RuntimePorts } from '../run-context/runtime-ports.ts'
import { noPolicyError } from '../agent/no-policy-error.ts'

/**
 * A run that compacts a session.
 * @throws ParleyError `config-invalid` without a store, a run of the session in it or a context policy, `session-busy`,
 * `agent-unknown`.
 */
export async function planCompaction(
  { store, agents }: Pick<RuntimePorts, 'store' | 'agents'>,
  sessionId: string,
  given: CompactOptions,
): Promise<StartRequest> {
  if (store === undefined) refuse('store', 'is missing, and without one no session is kept')
  const { scope = 'default' } = given
  const base = await loadSession(store, { sessionId, scope })
  const [first] = await store.read(base.sessionHead ?? '')
  if (first?.type !== 'run.started') refuse('sessionId', `is '${sessionId}', and scope '${scope}' has no run of it`)
  const { agent = first.agent, metadata = first.metadata, ...rest } = given
  const prepared = agents.get(agent)
  if (prepared.context === undefined) throw noPolicyError(prepared.definition.name)
  // Another agent's instructions may not know them.
  const { variables = agent === first.agent ? first.variables : undefined } = given
  return {
    agent,
    input: undefined,
    options: { ...rest, sessionId, scope, metadata, variables },
    base: { ...base, relation: 'compaction' },
  }
}

function refuse(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path, detail })
}
