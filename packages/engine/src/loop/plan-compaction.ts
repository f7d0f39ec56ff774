import { refuseOption } from '@parley/core'
import { loadSession } from '../run-context/session/load-session.ts'
import type { StartRequest } from './start-run.ts'
import type { CompactOptions } from './run-options.ts'
import type { RuntimePorts } from '../run-context/runtime-ports.ts'
import { noPolicyError } from '../agent/no-policy-error.ts'

/**
 * Plans a run that compacts a session.
 * @throws ParleyError `config-invalid` if there is no store, no run of the session, or no context policy; `session-busy`,
 * `agent-unknown`.
 */
export async function planCompaction(
  { store, agents }: Pick<RuntimePorts, 'store' | 'agents'>,
  sessionId: string,
  given: CompactOptions,
): Promise<StartRequest> {
  if (store === undefined) refuseOption('store', 'is required: sessions are kept in a store')
  const { scope = 'default' } = given
  const base = await loadSession(store, { sessionId, scope })
  const [first] = await store.read(base.sessionHead ?? '', { limit: 1 })
  if (first?.type !== 'run.started')
    refuseOption('sessionId', `is '${sessionId}', and scope '${scope}' has no run of it`)
  const { agent = first.agent, metadata = first.metadata, context = first.context, ...rest } = given
  const prepared = agents.get(agent)
  if (prepared.context === undefined) throw noPolicyError(prepared.definition.name)
  // Another agent may not have the same variables.
  const { variables = agent === first.agent ? first.variables : undefined } = given
  return {
    agent,
    input: undefined,
    options: { ...rest, sessionId, scope, context, metadata, variables },
    base: { ...base, relation: 'compaction' },
  }
}
