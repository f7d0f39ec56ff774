import {
  createId,
  ParleyError,
  type ClientTool,
  type Json,
  type Message,
  type ModelSettings,
  type RunRecord,
  type UserMessage,
} from '@parley/core'
import type { Run } from '@parley/engine'
import { invalidParameter } from '../problem/problem.ts'
import type { ServerContext } from '../state/server-context.ts'
import { beginAttempt, REQUEST_HASH, type RequestTerms } from './begin-once.ts'
import { findAnswer, MESSAGE_ID } from './find-answer.ts'
import { freeSession } from './free-session.ts'
import { newNamedRunId } from './named-run.ts'
import { reportFailures } from './report-failures.ts'

export interface RunRequest {
  readonly terms: RequestTerms
  /** Name of an agent. An unknown name selects the first agent. @default the first agent */
  readonly agent?: string | undefined
  readonly input: UserMessage
  /** Messages before the input. Ignored if the session already has a run. */
  readonly history: readonly Message[]
  readonly sessionId?: string | undefined
  readonly settings?: ModelSettings | undefined
  /** Tools that the client executes. @default none */
  readonly clientTools?: readonly ClientTool[] | undefined
  /** Id that the client chose for the response. The journal stores it. @default none */
  readonly responseId?: string | undefined
  /** Run from which the new run branches off. The branch gets a session of its own, and `sessionId` is ignored. @default none */
  readonly after?: RunRecord | undefined
  /** The client's id of `input`. The journal stores it. @default none */
  readonly messageId?: string | undefined
  /** Whether the run replaces the newest answer to the message, if the session has one. It begins where that one began. @default false */
  readonly replaces?: boolean | undefined
  /**
   * Ids of the answers that the client shows. If given, the run replaces an answer only if the client has sent the same message
   * again and no longer shows the newest answer. @default none: `replaces` decides
   */
  readonly shownIds?: readonly string[] | undefined
  /** The context that the client asks for. Only `ServerAppOptions.context` reads it. @default none */
  readonly givenContext?: unknown
  /** Metadata for the journal. @default none */
  readonly metadata?: Readonly<Record<string, Json>> | undefined
}

/** Key in the journal's metadata for the id that the client chose for a response. */
export const RESPONSE_ID = 'responseId'

/**
 * Starts a run for a client. Calls `watch` in the same tick, so that a reader it attaches misses no event.
 * @throws Problem 400 if the model rejects a setting or a tool output would be lost, 409 if the session stays busy, 429 or 503
 * if a limit is reached.
 */
export async function startRun<TResult>(
  server: ServerContext,
  request: RunRequest,
  watch: (run: Run) => TResult,
): Promise<TResult> {
  const { terms, sessionId, after } = request
  const { scope } = terms.client
  const isAlone = after !== undefined || sessionId === undefined
  async function begin(): Promise<TResult> {
    const prepared = await prepare(server, request)
    // No other request may begin a run between the check of the session and the start.
    const isNew = isAlone ? sessionId === undefined : !(await freeSession(server, terms, sessionId))
    return startNow(server, prepared, isNew, watch)
  }
  return isAlone || terms.onBusy === 'refuse' ? begin() : server.turns.take(scope, sessionId, begin)
}

interface PreparedRequest extends RunRequest {
  /** @default a new id */
  readonly runId: string | undefined
  /** The run's context, in an object. */
  readonly chosen: { readonly context?: unknown }
}

/** Chooses the id and the context of the run. */
async function prepare({ store, contextOf, agents }: ServerContext, request: RunRequest): Promise<PreparedRequest> {
  const { terms, agent, responseId, givenContext: given } = request
  const { name: client, scope, principal } = terms.client
  const named = responseId === undefined ? undefined : await newNamedRunId(store, scope, responseId)
  // The idempotency key of a request names its run in every process.
  const { runId = named } = terms.attempt
  if (contextOf === undefined) return { ...request, runId, chosen: {} }
  const context = await contextOf({ client, scope, principal, agent: agents.get(agent).name, given })
  return { ...request, runId, chosen: { context } }
}

// oxlint-disable-next-line max-params -- the callback comes last
async function startNow<TResult>(
  server: ServerContext,
  request: PreparedRequest,
  isNew: boolean,
  watch: (run: Run) => TResult,
): Promise<TResult> {
  const { terms, runId, input, history, sessionId, settings = {}, clientTools = [], after } = request
  const { scope, principal } = terms.client
  const { name: agent } = server.agents.get(request.agent)
  const named = request.responseId === undefined ? {} : { [RESPONSE_ID]: request.responseId }
  const { messageId, replaces = false, shownIds } = request
  const answered = messageId === undefined ? {} : { [MESSAGE_ID]: messageId }
  const metadata = {
    ...server.metadata,
    ...named,
    ...answered,
    [REQUEST_HASH]: terms.attempt.hash,
    ...request.metadata,
  }
  const brought = clientTools.length === 0 ? {} : { clientTools, acceptClientTools: server.acceptClientTools }
  const options = { runId, scope, principal, settings, metadata, ...brought, ...request.chosen }
  if ((!isNew || after !== undefined) && input.content.length === 0 && history.at(-1)?.role === 'tool')
    throw invalidParameter(
      'The output of a tool cannot join a session that has its own messages. Send a message of the user.',
    )
  const begin = (run: Run): TResult => {
    beginAttempt(server, terms, { run, fromSeq: 1 })
    void reportFailures(server, { run, requestId: terms.client.requestId })
    return watch(run)
  }
  try {
    const replaced =
      replaces && !isNew && sessionId !== undefined && messageId !== undefined
        ? await findAnswer(server, { scope, sessionId, messageId, resent: shownIds && { input, shownIds } })
        : undefined
    const from = after ?? replaced
    if (from !== undefined) {
      server.live.checkCapacity(scope)
      const branch = { ...options, agent, input }
      const branched =
        after === undefined
          ? server.runtime.rerun(from.runId, branch)
          : server.runtime.fork(from.runId, { ...branch, sessionId: createId(server.clock.now()) })
      return begin(server.live.add(scope, await branched))
    }
    const started = { ...options, sessionId, history }
    return begin(server.live.start(scope, sessionId, () => server.runtime.run(agent, input, started)))
  } catch (error) {
    const known = toToolsError(error)
    throw Object.keys(settings).length > 0 ? toSettingsProblem(known) : known
  }
}

/** Names the field of the request that has the client's tools, which all protocols call `tools`. */
function toToolsError(error: unknown): unknown {
  if (!ParleyError.is(error, 'request-invalid')) return error
  const path = error.info.path.replace(/^clientTools\b/, 'tools')
  return new ParleyError({ ...error.info, path }, { cause: error })
}

/** Converts `config-invalid` about a setting to a 400, because the client sent the settings. */
function toSettingsProblem(error: unknown): unknown {
  if (!ParleyError.is(error, 'config-invalid')) return error
  const { path, detail } = error.info
  // Other parts of a composition can be invalid too, and the client must not read about them.
  if (!/(?:^|\.)settings\./.test(path)) return error
  return invalidParameter(`${path.replace(/^.*settings\./, '')}: ${detail}`)
}
