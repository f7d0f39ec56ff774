import type { AgentProfile } from '@parley/agent-api'
import { createId, systemClock, type Clock, type Json, type Store } from '@parley/core'
import type { Agent, Runtime } from '@parley/engine'
import { Hono } from 'hono'
import { addAgUiRoute } from './routes/ag-ui.ts'
import { addChatCompletionsRoute } from './routes/openai/chat-completions.ts'
import { addMcpRoute, type McpHandler } from './routes/mcp.ts'
import { addModelsRoute } from './routes/openai/models.ts'
import { addOpenApiRoute } from './openapi/openapi-route.ts'
import { addOpenAiResponsesRoutes } from './routes/openai/responses.ts'
import { addUiMessagesRoute } from './routes/ui-messages.ts'
import { addApprovalRoutes } from './routes/agent-api/approvals.ts'
import type { ApiKey } from './access/api-key.ts'
import { authenticate } from './access/authenticate.ts'
import { addCancelRoute } from './routes/agent-api/cancel.ts'
import { createAgentDirectory } from './state/agent-directory.ts'
import { guardOrigin } from './access/guard-origin.ts'
import { addHealthRoutes } from './routes/health.ts'
import { limitRate } from './limits/limit-rate.ts'
import { LiveRuns } from './state/live-runs.ts'
import { addProcessRoute } from './routes/agent-api/process.ts'
import { notFound } from './problem/problem.ts'
import { recoverRuns } from './responses/recover-runs.ts'
import { addResponseRoutes } from './routes/agent-api/process-responses.ts'
import { ResponseShelf } from './state/response-cache.ts'
import type { ServerContext } from './state/server-context.ts'
import type { ServerEnv } from './access/server-env.ts'
import { addSessionRoutes } from './routes/agent-api/sessions.ts'
import { toProblem } from './problem/to-problem.ts'
import { toServerLimits, type ServerLimits } from './limits/server-limits.ts'

export interface ServerAppOptions {
  /** Has the agents and the store below. */
  readonly runtime: Runtime
  /** Who may be asked. The first answers requests that name no other. */
  readonly agents: readonly Agent[]
  /** The runtime's. */
  readonly store: Store
  /** Who may ask. @default nobody is asked for a key */
  readonly keys?: readonly ApiKey[] | undefined
  /** Of everything, on a server without keys. @default 'default' */
  readonly scope?: string | undefined
  /** Origins of web pages that may use the server; `*` for all. @default none but its own */
  readonly corsOrigins?: readonly string[] | undefined
  /** Host names the server answers to. @default any */
  readonly hosts?: readonly string[] | undefined
  readonly limits?: Partial<ServerLimits> | undefined
  /** `reference` for Agent API clients that wait on after canceled, rejected and incomplete. @default 'standard' */
  readonly profile?: AgentProfile | undefined
  /** How long a stream may be silent before a comment is sent. @default 15_000 */
  readonly keepAliveMs?: number | undefined
  /** Offered to MCP clients at `/mcp`; closing it is left to whoever made it. @default there is no such address */
  readonly mcp?: McpHandler | undefined
  /** Told of failures nobody foresaw; the client is told nothing of them. @default they are dropped */
  readonly onError?: ((error: unknown, options: { readonly requestId: string }) => void) | undefined
  /** Kept in the journal of every run it starts. @default none */
  readonly metadata?: Readonly<Record<string, Json>> | undefined
  /** @default the machine's */
  readonly clock?: Clock | undefined
}

/** A server without its socket. */
export interface ServerApp {
  /** Answers one request. Never rejects. */
  fetch(request: Request): Promise<Response>
  /** Goes on with the runs an earlier process left unfinished; answers how many. */
  recover(): Promise<number>
  /** From now on no run begins, and the server is not ready. */
  close(): void
  /** Runs that go on. */
  readonly runs: number
}

/**
 * A server as a function from request to response.
 * @throws ParleyError `config-invalid`.
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
    shelf: new ResponseShelf(limits.maxKeptStreams),
    openAiShelf: new ResponseShelf(limits.maxKeptStreams),
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
  app.use(async function nameRequest(context, next) {
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
  addResponseRoutes,
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
