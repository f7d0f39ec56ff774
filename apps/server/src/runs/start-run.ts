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
import { sessionBusy } from '../state/live-runs.ts'
import { Problem } from '../problem/problem.ts'
import type { ServerContext } from '../state/server-context.ts'

export interface RunRequest {
  readonly client: Client
  /** An agent's name; anything else means the first agent. */
  readonly agent?: string | undefined
  readonly input: UserMessage
  /** What precedes it, where the session has no run yet. */
  readonly history: readonly Message[]
  readonly sessionId?: string | undefined
  readonly settings?: ModelSettings | undefined
  /** What the client calls the response; kept with the run. */
  readonly responseId?: string | undefined
  /** The run to branch off from, into a session of its own; the session above does not count then. @default none */
  readonly after?: RunRecord | undefined
  /** Kept with the run. @default none */
  readonly metadata?: Readonly<Record<string, Json>> | undefined
}

/** Where the journal keeps what a client calls its response. */
export const RESPONSE_ID = 'responseId'

/**
 * Begins a run for a client. `watch` is called in the same tick, so that a reader it attaches misses nothing.
 * @throws Problem 400 for settings no model takes, 409 while the session is busy, 429, 503.
 */
export async function startRun<TResult>(
  server: ServerContext,
  request: RunRequest,
  watch: (run: Run) => TResult,
): Promise<TResult> {
  const { client, input, history, sessionId, settings = {}, after } = request
  const { scope, principal } = client
  const { name: agent } = server.agents.get(request.agent)
  const isPlain = Object.keys(settings).length === 0
  const named = request.responseId === undefined ? {} : { [RESPONSE_ID]: request.responseId }
  const options = { scope, principal, settings, metadata: { ...server.metadata, ...named, ...request.metadata } }
  const isNew = sessionId === undefined || !(await hasRuns(server, scope, sessionId))
  try {
    if (after !== undefined) {
      server.live.checkRoom(scope)
      const branch = { ...options, agent, input, sessionId: createId(server.clock.now()) }
      return watch(server.live.adopt(scope, await server.runtime.fork(after.runId, branch)))
    }
    const begun = { ...options, sessionId, ...(isNew ? { history } : {}) }
    return watch(server.live.start(scope, sessionId, () => server.runtime.run(agent, input, begun)))
  } catch (error) {
    throw isPlain ? error : toSettingsProblem(error)
  }
}

/** A setting that the model does not take is the client's mistake. */
function toSettingsProblem(error: unknown): unknown {
  if (!ParleyError.is(error, 'config-invalid')) return error
  const { path, detail } = error.info
  return new Problem(400, 'INVALID_PARAMETER', { message: `${path.replace(/^.*settings\./, '')}: ${detail}` })
}

async function hasRuns({ store }: ServerContext, scope: string, sessionId: string): Promise<boolean> {
  const [last] = await store.runs({ scope, sessionId, limit: 1 })
  if (last?.status === 'running') throw sessionBusy()
  if (last?.status === 'suspended') {
    const message = 'The session waits for an approval; decide about it or cancel the run.'
    throw new Problem(409, 'SESSION_BUSY', { message })
  }
  return last !== undefined
}
