import type { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { ServerEnv } from '../access/client.ts'
import type { ServerLimits } from '../limits/server-limits.ts'
import { Problem } from '../problem/problem.ts'

/** Serves the requests at `/mcp`. An MCP server of `createMcpServer` in `@parley/mcp` is one. */
export interface McpHandler {
  fetch(request: Request): Promise<Response>
}

/**
 * Adds `/mcp`, which offers tools to MCP clients. The server's keys, origins and limits apply. Scopes do not, because
 * MCP has none.
 */
export function addMcpRoute(app: Hono<ServerEnv>, handler: McpHandler, limits: ServerLimits): void {
  const maxSize = limits.maxBodyBytes
  const onError = (): never => {
    throw new Problem(413, 'PAYLOAD_TOO_LARGE', { message: `The body must have at most ${maxSize} bytes.` })
  }
  app.all('/mcp', bodyLimit({ maxSize, onError }), context => handler.fetch(context.req.raw))
}
