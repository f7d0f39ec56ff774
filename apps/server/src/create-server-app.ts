import type { AgentProfile } from '@parley/agent-api'
import {
  ParleyError,
  checkDuration,
  createId,
  monotonicNow,
  systemClock,
  type Clock,
  type Json,
  type Store,
  checkOptions,
  type OptionKinds,
} from '@parley/core'
import type { Agent, Runtime } from '@parley/engine'
import type { RunsAccess } from '@parley/runs-api'
import { Hono } from 'hono'
import type { ApiKey } from './access/api-key.ts'
import { authenticate } from './access/authenticate.ts'
import type { TokenIssuer } from './access/token-issuer.ts'
import type { ServerEnv } from './access/client.ts'
import { RUNS_ACCESS } from './access/runs-access.ts'
import { guardOrigin } from './access/guard-origin.ts'
import { limitRate } from './limits/limit-rate.ts'
import { toServerLimits, type ServerLimits } from './limits/server-limits.ts'
import { notFound, toProblem, withoutRetry } from './problem/problem.ts'
import { recoverRuns, takeOverRuns } from './responses/recover-runs.ts'
import { addRoutes } from './routes/add-routes.ts'
import { addHealthRoutes } from './routes/health.ts'
import { addMcpRoute, type McpHandler } from './routes/mcp.ts'
import { addStudioRoutes, type PageAssets } from './routes/studio.ts'
import { createAgentDirectory } from './state/agent-directory.ts'
import { LiveRuns } from './state/live-runs.ts'
import { createProtocolRules, type OnBusy, type OnDisconnect, type PerProtocol } from './state/protocol-rules.ts'
import { RecoverableScopes } from './state/recoverable-scopes.ts'
import { ReplayBudget } from './state/replay-budget.ts'
import { ResponseCache } from './state/response-cache.ts'
import { RunAttempts } from './state/run-attempts.ts'
import type { ErrorOrigin, ServerContext } from './state/server-context.ts'
import { SessionTurns } from './state/session-turns.ts'
import type { ContextRequest } from './runs/context-request.ts'

export interface ServerAppOptions {
  /** Runs the agents. It must have a store. */
  readonly runtime: Runtime
  /**
   * The agents of the runtime that clients may run. A request without a known agent name goes to the first one. With `access`, the
   * list may be empty: `openServer` then resumes no runs, and shows those of other processes.
   * @default all agents that the runtime has now
   */
  readonly agents?: readonly Agent[] | undefined
  /** API keys of the clients. @default none; without `tokens`, every request is accepted */
  readonly keys?: readonly ApiKey[] | undefined
  /** Issuers whose signed tokens (JWT) identify clients too. @default none */
  readonly tokens?: readonly TokenIssuer[] | undefined
  /** Scope of all runs on a server without keys and tokens. @default 'default' */
  readonly scope?: string | undefined
  /**
   * The most that any client may do in the Runs API (`@parley/runs-api`). With `viewer` the whole API is read-only.
   * @default the access of each key and token; nothing on a server without keys and tokens
   */
  readonly access?: RunsAccess | undefined
  /** Origins of web pages that may send requests. `*` allows every origin. @default only the server's own origin */
  readonly corsOrigins?: readonly string[] | undefined
  /** Host names that the server accepts in `Host`, without port. @default every name */
  readonly hosts?: readonly string[] | undefined
  readonly limits?: Partial<ServerLimits> | undefined
  /**
   * How Agent API streams end. `reference` is for clients that recognize only `completed` and `failed`, and would wait
   * forever after `canceled`, `rejected` or `incomplete`. @default 'standard'
   */
  readonly profile?: AgentProfile | undefined
  /** Milliseconds without an event after which a stream sends a comment, so that proxies keep the connection. @default 15_000 */
  readonly keepAliveMs?: number | undefined
  /**
   * Milliseconds within which a reader must accept data that waits for it. After that its connection closes. 5 seconds before, or
   * halfway if that is later, its stream ends with an event that tells it where to resume. The run continues. @default 30_000
   */
  readonly readerTimeoutMs?: number | undefined
  /** Handles requests of MCP clients at `/mcp`. Its creator closes it. @default none; `/mcp` answers with 404 */
  readonly mcp?: McpHandler | undefined
  /**
   * Files of Parley Studio, which `studioAssets` of `@parley/studio` reads. The page is at `/studio/`.
   * @default none; `/studio/` answers with 404
   */
  readonly studio?: PageAssets | undefined
  /**
   * Called with unexpected errors, failed runs, and failed tool calls. Clients get only a code and a public sentence of them. The
   * options name the request that failed, or the one that started the run or answered its last question.
   * @default errors are dropped
   */
  readonly onError?: ((error: unknown, options: ErrorOrigin) => void) | undefined
  /** Metadata for the journal of every run that the server starts. @default none */
  readonly metadata?: Readonly<Record<string, Json>> | undefined
  /**
   * Returns the context of a run that a client begins: JSON that its tools, instructions and middleware read as `run.context`. Called
   * once for each new run; an answer to a suspended run keeps the context. A client has no say unless the function uses `given`, which
   * is unchecked. A ParleyError `request-invalid` that it throws is answered with 400.
   * @default runs have no context
   */
  readonly context?: ((request: ContextRequest) => unknown) | undefined
  /**
   * Whether clients may send tools that they execute themselves, to agents that do not say so (`Agent.clientTools`).
   * @default 'accept'
   */
  readonly clientTools?: 'accept' | 'refuse' | undefined
  /**
   * What happens to a run whose client disconnects before it has the whole answer, for every protocol or by protocol. The
   * defaults: `ag-ui`, `ai-sdk-ui` and streams of `openai-chat` cancel, because closing the connection is how
   * their clients stop a run. `agent-api` and `openai-responses` continue, because their clients can resume the stream and
   * have a request to cancel; with `profile: 'reference'`, `agent-api` cancels. A whole answer of `openai-chat` continues, because
   * a client that timed out sends the request again and is answered by the same run.
   */
  readonly onDisconnect?: PerProtocol<OnDisconnect> | undefined
  /**
   * What happens to a message for a session that has an unfinished run, for every protocol or by protocol. `queue` waits until
   * the run has ended, `cancel` cancels it, also if it is suspended for approval, and `refuse` answers with 409.
   * A message for a suspended run is refused unless the value is `cancel`.
   * @default 'queue' for `ag-ui` and `ai-sdk-ui`; otherwise 'refuse'
   */
  readonly onBusy?: PerProtocol<OnBusy> | undefined
  /**
   * Milliseconds in which an equal request is answered by the run of an earlier one whose client disconnected or received a
   * failure. 0 turns this off. Requests with the header `Idempotency-Key` are always answered by the run of their key.
   * @default 10_000
   */
  readonly retryWindowMs?: number | undefined
  /** Source of time and timers. @default systemClock */
  readonly clock?: Clock | undefined
}

/** A server without a socket. */
export interface ServerApp {
  /** Answers one request. Never rejects. */
  fetch(request: Request): Promise<Response>
  /** Resumes the unfinished runs of an earlier process. Resolves with their number. */
  recover(): Promise<number>
  /**
   * Resumes the runs of processes that have died since. Cheaper than `recover`, because it does not look at suspended runs.
   * Call it periodically. Resolves with their number.
   */
  takeOver(): Promise<number>
  /** Rejects every later run and reports the server as not ready. */
  close(): void
  /** Number of runs that this server drives. */
  readonly runs: number
}

/** What the options of a server must be. */
export const APP_OPTIONS: OptionKinds<ServerAppOptions> = {
  runtime: 'object!',
  agents: 'list',
  keys: 'list',
  tokens: 'list',
  scope: 'string',
  access: RUNS_ACCESS,
  corsOrigins: 'strings',
  hosts: 'strings',
  limits: 'object',
  profile: ['standard', 'reference'],
  keepAliveMs: 'number',
  readerTimeoutMs: 'number',
  mcp: 'any',
  studio: 'any',
  onError: 'function',
  metadata: 'object',
  context: 'function',
  clientTools: ['accept', 'refuse'],
  onDisconnect: 'any',
  onBusy: 'any',
  retryWindowMs: 'number',
  clock: 'clock',
}

/**
 * Creates a server as a function from request to response.
 * @throws ParleyError `config-invalid` if an option is invalid.
 */
export function createServerApp(options: ServerAppOptions): ServerApp {
  checkOptions('createServerApp', options, APP_OPTIONS)
  const { runtime, keys = [], tokens = [], scope = 'default', corsOrigins = [], hosts } = options
  const { agents = runtime.agents.list() } = options
  const { profile = 'standard', keepAliveMs = 15_000, readerTimeoutMs = 30_000, metadata } = options
  const { clock = systemClock, onError = () => {}, onDisconnect, onBusy, retryWindowMs = 10_000 } = options
  checkDuration({ retryWindowMs }, 'server')
  const isOpen = keys.length + tokens.length === 0
  const scopes = new Set(isOpen ? [scope] : keys.map(key => key.scope ?? key.name))
  // Every user of an issuer can have a scope.
  const scopeCount = tokens.length > 0 ? Infinity : scopes.size
  const limits = toServerLimits(options.limits ?? {}, { isOpen, scopeCount })
  const live = new LiveRuns(limits)
  const budget = new ReplayBudget(limits)
  const recoverable = new RecoverableScopes([scope, ...scopes])
  const server: ServerContext = {
    runtime,
    store: storeOf(runtime),
    live,
    agentResponses: new ResponseCache(limits, budget),
    openAiResponses: new ResponseCache(limits, budget),
    budget,
    limits,
    profile,
    keepAliveMs,
    readerTimeoutMs,
    metadata,
    contextOf: options.context,
    onError,
    acceptClientTools: options.clientTools !== 'refuse',
    clock,
    agents: createAgentDirectory(agents, { mayBeEmpty: options.access !== undefined }),
    deciding: new Set(),
    attempts: new RunAttempts({ windowMs: retryWindowMs, now: () => monotonicNow(clock) }),
    turns: new SessionTurns(),
    rules: createProtocolRules({ onDisconnect, onBusy, isReference: profile === 'reference' }),
    hasKeys: !isOpen,
  }

  const app = new Hono<ServerEnv>()
  app.use(async function assignRequestId(context, next) {
    const given = context.req.header('x-request-id') ?? ''
    const requestId = /^[\w.-]{1,128}$/.test(given) ? given : createId(clock.now())
    context.set('requestId', requestId)
    context.header('x-request-id', requestId)
    context.header('x-content-type-options', 'nosniff')
    await next()
  })
  app.use(guardOrigin({ corsOrigins, hosts }))
  addHealthRoutes(app, server)
  if (options.studio !== undefined) addStudioRoutes(app, options.studio)
  const anonymous = { name: 'anonymous', scope, access: options.access }
  app.use(authenticate({ keys, tokens, anonymous, access: options.access ?? 'admin', clock, onError }))
  app.use(async function learnScope(context, next) {
    recoverable.add(context.get('client').scope)
    await next()
  })
  app.use(limitRate({ perMinute: limits.requestsPerMinute, now: () => monotonicNow(clock) }))
  addRoutes(app, server)
  if (options.mcp !== undefined) addMcpRoute(app, options.mcp, limits)
  answerProblems(app, onError)

  return {
    fetch: async request => app.fetch(request),
    recover: () => recoverRuns(server, recoverable),
    takeOver: () => takeOverRuns(server, recoverable),
    close: () => live.close(),
    get runs() {
      return live.count
    },
  }
}

/** Answers every failed request with its error as JSON. */
function answerProblems(app: Hono<ServerEnv>, onError: NonNullable<ServerAppOptions['onError']>): void {
  app.notFound(() => {
    throw notFound('address')
  })
  app.onError((error, context) => {
    const problem = toProblem(error)
    const requestId = context.get('requestId')
    if (problem.status >= 500 && problem.status !== 503) onError(error, { requestId })
    const hasBegun = context.get('attempt')?.run !== undefined
    const { status, code, message, headers } = hasBegun ? withoutRetry(problem) : problem
    return context.json({ error: { code, message, request_id: requestId } }, status, { ...headers })
  })
}

/** @throws ParleyError `config-invalid` if the runtime has no store. */
function storeOf({ store }: Runtime): Store {
  if (store !== undefined) return store
  const detail =
    'has no store, and a server keeps its runs in one; pass `store` to createRuntime, for example openSqliteStore'
  throw new ParleyError({ code: 'config-invalid', path: 'createServerApp.runtime', detail })
}
