import {
  createId,
  ParleyError,
  type Json,
  type Message,
  type ModelSettings,
  type RunRecord,
  type UserMessage,
} from '@parley/core'
import type { Run } from '@parley/engine'
import type { Client } from '../access/client.ts'
import { invalidParameter, Problem } from '../problem/problem.ts'
import { sessionBusy } from '../state/live-runs.ts'
import type { ServerContext } from '../state/server-context.ts'

export interface RunRequest {
  readonly client: Client
  /** Name of an agent. An unknown name selects the first agent. @default the first agent */
  readonly agent?: string | undefined
  readonly input: UserMessage
  /** Messages before the input. Ignored if the session already has a run. */
  readonly history: readonly Message[]
  readonly sessionId?: string | undefined
  readonly settings?: ModelSettings | undefined
  /** Id that the client chose for the response. The journal stores it. @default none */
  readonly responseId?: string | undefined
  /** Run from which the new run branches off. The branch gets a session of its own, and `sessionId` is ignored. @default none */
  readonly after?: RunRecord | undefined
  /** Metadata for the journal. @default none */
  readonly metadata?: Readonly<Record<string, Json>> | undefined
}

/** Key in the journal's metadata for the id that the client chose for a response. */
export const RESPONSE_ID = 'responseId'

/**
 * Starts a run for a client. Calls `watch` in the same tick, so that a reader it attaches misses no event.
 * @throws Problem 400 if the model rejects a setting, 409 if the session is busy, 429 or 503 if a limit is reached.
 */
export async function startRun<TResult>(
  server: ServerContext,
  request: RunRequest,
  watch: (run: Run) => TResult,
): Promise<TResult> {
  const { client, input, history, sessionId, settings = {}, after } = request
  const { scope, principal } = client
  const { name: agent } = server.agents.get(request.agent)
  const hasSettings = Object.keys(settings).length > 0
  const named = request.responseId === undefined ? {} : { [RESPONSE_ID]: request.responseId }
  const options = { scope, principal, settings, metadata: { ...server.metadata, ...named, ...request.metadata } }
  const isNew = sessionId === undefined || !(await hasRuns(server, scope, sessionId))
  try {
    if (after !== undefined) {
      server.live.checkCapacity(scope)
      const branch = { ...options, agent, input, sessionId: createId(server.clock.now()) }
      return watch(server.live.add(scope, await server.runtime.fork(after.runId, branch)))
    }
    const started = { ...options, sessionId, ...(isNew ? { history } : {}) }
    return watch(server.live.start(scope, sessionId, () => server.runtime.run(agent, input, started)))
  } catch (error) {
    throw hasSettings ? toSettingsProblem(error) : error
  }
}

/** Converts `config-invalid` to a 400, because the client sent the setting. */
function toSettingsProblem(error: unknown): unknown {
  if (!ParleyError.is(error, 'config-invalid')) return error
  const { path, detail } = error.info
  return invalidParameter(`${path.replace(/^.*settings\./, '')}: ${detail}`)
}

async function hasRuns({ store }: ServerContext, scope: string, sessionId: string): Promise<boolean> {
  const [last] = await store.runs({ scope, sessionId, limit: 1 })
  if (last?.status === 'running') throw sessionBusy()
  if (last?.status === 'suspended') {
    const message = 'The session has a run that is suspended for approval. Decide about it or cancel the run.'
    throw new Problem(409, 'SESSION_BUSY', { message })
  }
  return last !== undefined
}
