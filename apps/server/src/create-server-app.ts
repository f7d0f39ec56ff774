import type { AgentProfile } from '@parley/agent-api'
import { createId, systemClock, type Clock, type Json, type Store } from '@parley/core'
import type { Agent, Runtime } from '@parley/engine'
import { Hono } from 'hono'
import type { ApiKey } from './access/api-key.ts'
import { authenticate } from './access/authenticate.ts'
import type { ServerEnv } from './access/client.ts'
import { guardOrigin } from './access/guard-origin.ts'
import { limitRate } from './limits/limit-rate.ts'
import { toServerLimits, type ServerLimits } from './limits/server-limits.ts'
import { addOpenApiRoute } from './openapi/openapi-document.ts'
import { notFound, toProblem } from './problem/problem.ts'
import { recoverRuns } from './responses/recover-runs.ts'
import { addAgUiRoute } from './routes/ag-ui.ts'
import { addApprovalRoutes } from './routes/agent-api/approvals.ts'
import { addCancelRoute } from './routes/agent-api/cancel.ts'
import { addProcessResponseRoutes } from './routes/agent-api/process-responses.ts'
import { addProcessRoute } from './routes/agent-api/process.ts'
import { addSessionRoutes } from './routes/agent-api/sessions.ts'
import { addHealthRoutes } from './routes/health.ts'
import { addMcpRoute, type McpHandler } from './routes/mcp.ts'
import { addChatCompletionsRoute } from './routes/openai/chat-completions.ts'
import { addModelsRoute } from './routes/openai/models.ts'
import { addOpenAiResponsesRoutes } from './routes/openai/responses.ts'
import { addUiMessagesRoute } from './routes/ui-messages.ts'
import { createAgentDirectory } from './state/agent-directory.ts'
import { LiveRuns } from './state/live-runs.ts'
import { ResponseCache } from './state/response-cache.ts'
import type { ServerContext } from './state/server-context.ts'

export interface ServerAppOptions {
  /** Runs the agents. It must have the same agents and the same store as this server. */
  readonly runtime: Runtime
  /** The agents that clients may run. A request without a known agent name goes to the first one. */
  readonly agents: readonly Agent[]
  /** The runtime's store. */
  readonly store: Store
  /** API keys of the clients. @default none; every request is accepted */
  readonly keys?: readonly ApiKey[] | undefined
  /** Scope of all runs on a server without keys. @default 'default' */
  readonly scope?: string | undefined
  /** Origins of web pages that may send requests. `*` allows every origin. @default only the server's own origin */
  readonly corsOrigins?: readonly string[] | undefined
  /** Host names that the server accepts in `Host`, without port. @default every name */
  readonly hosts?: readonly string[] | undefined
  readonly limits?: Partial<ServerLimits> | undefined
  /**
   * How Agent API streams end. `reference` is for clients that recognise only `completed` and `failed`, and would wait
   * forever after `canceled`, `rejected` or `incomplete`. @default 'standard'
   */
  readonly profile?: AgentProfile | undefined
  /** Milliseconds without an event after which a stream sends a comment, so that proxies keep the connection. @default 15_000 */
  readonly keepAliveMs?: number | undefined
  /** Handles requests of MCP clients at `/mcp`. Its creator closes it. @default none; `/mcp` answers with 404 */
  readonly mcp?: McpHandler | undefined
  /** Called with unexpected errors. The client receives only a generic message. @default errors are dropped */
  readonly onError?: ((error: unknown, options: { readonly requestId: string }) => void) | undefined
  /** Metadata for the journal of every run that the server starts. @default none */
  readonly metadata?: Readonly<Record<string, Json>> | undefined
  /** Source of time and timers. @default systemClock */
  readonly clock?: Clock | undefined
}

/** A server without a socket. */
export interface ServerApp {
  /** Answers one request. Never rejects. */
  fetch(request: Request): Promise<Response>
  /** Resumes the unfinished runs of an earlier process. Resolves with their number. */
  recover(): Promise<number>
  /** Rejects every later run and reports the server as not ready. */
  close(): void
  /** Number of runs that this server drives. */
  readonly runs: number
}

/**
 * Creates a server as a function from request to response.
 * @throws ParleyError `config-invalid` if an option is invalid.
 */
export function createServerApp(options: ServerAppOptions): ServerApp {
  const { runtime, agents, store, keys = [], scope = 'default', corsOrigins = [], hosts } = options
  const { profile = 'standard', keepAliveMs = 15_000, metadata, clock = systemClock, onError = () => {} } = options
  const limits = toServerLimits(options.limits ?? {}, keys.length > 0)
  const live = new LiveRuns(limits)
  const server: ServerContext = {
    runtime,
    store,
    live,
    agentResponses: new ResponseCache(limits.maxKeptStreams),
    openAiResponses: new ResponseCache(limits.maxKeptStreams),
    limits,
    profile,
    keepAliveMs,
    metadata,
    clock,
    agents: createAgentDirectory(agents),
    deciding: new Set(),
    hasKeys: keys.length > 0,
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
  app.use(authenticate({ keys, anonymous: { name: 'anonymous', scope } }))
  app.use(limitRate({ perMinute: limits.requestsPerMinute, now: () => clock.now() }))
  for (const add of ROUTES) add(app, server)
  if (options.mcp !== undefined) addMcpRoute(app, options.mcp, limits)
  app.notFound(() => {
    throw notFound('address')
  })
  app.onError((error, context) => {
    const problem = toProblem(error)
    const requestId = context.get('requestId')
    if (problem.status >= 500 && problem.status !== 503) onError(error, { requestId })
    const { code, message } = problem
    return context.json({ error: { code, message, request_id: requestId } }, problem.status, { ...problem.headers })
  })

  return {
    fetch: async request => app.fetch(request),
    recover: () => recoverRuns(server, new Set([scope, ...keys.map(key => key.scope ?? key.name)])),
    close: () => live.close(),
    get runs() {
      return live.count
    },
  }
}

const ROUTES = [
  addProcessRoute,
  addProcessResponseRoutes,
  addCancelRoute,
  addApprovalRoutes,
  addSessionRoutes,
  addModelsRoute,
  addChatCompletionsRoute,
  addOpenAiResponsesRoutes,
  addAgUiRoute,
  addUiMessagesRoute,
  addOpenApiRoute,
] as const
