import type { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { ServerEnv } from '../access/client.ts'
import type { ServerLimits } from '../limits/server-limits.ts'
import { notFound, Problem } from '../problem/problem.ts'

/** Serves the requests at `/mcp`, for example a server that `createMcpServer` of `@parley/mcp` creates. */
export interface McpHandler {
  fetch(request: Request): Promise<Response>
}

const SESSION = 'mcp-session-id'
/** More than the sessions that `createMcpServer` keeps. */
const MAX_SESSIONS = 2_000

/**
 * Adds `/mcp`, which offers tools to MCP clients. The server's keys, origins and limits apply. A session serves only the scope
 * that began it. The tools are the same for every scope.
 */
export function addMcpRoute(app: Hono<ServerEnv>, handler: McpHandler, limits: ServerLimits): void {
  const maxSize = limits.maxBodyBytes
  const onError = (): never => {
    throw new Problem(413, 'PAYLOAD_TOO_LARGE', { message: `The body must have at most ${maxSize} bytes.` })
  }
  const owners = new Map<string, string>()
  app.all('/mcp', bodyLimit({ maxSize, onError }), async context => {
    const { scope } = context.get('client')
    const id = context.req.header(SESSION)
    // A session of another client is unknown, which the protocol answers with 404.
    if (id !== undefined && owners.get(id) !== scope) throw notFound('session')
    const response = await handler.fetch(context.req.raw)
    const begun = response.headers.get(SESSION)
    if (begun !== null) remember(owners, begun, scope)
    return response
  })
}

/** Keeps the scopes of the sessions that were used last. */
function remember(owners: Map<string, string>, id: string, scope: string): void {
  owners.delete(id)
  owners.set(id, scope)
  const [oldest] = owners.keys()
  if (owners.size > MAX_SESSIONS && oldest !== undefined) owners.delete(oldest)
}
