import type { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { Problem } from '../problem/problem.ts'
import type { ServerEnv } from '../access/server-env.ts'
import type { ServerLimits } from '../limits/server-limits.ts'

/** What answers at `/mcp`: an MCP server, such as `createMcpServer` of `@parley/mcp` gives. */
export interface McpHandler {
  fetch(request: Request): Promise<Response>
}

/** `/mcp`: tools for MCP clients. Keys, origins and limits are those of the server; what is behind it knows no scopes. */
export function addMcpRoute(app: Hono<ServerEnv>, handler: McpHandler, limits: ServerLimits): void {
  const maxSize = limits.maxBodyBytes
  const onError = (): never => {
    throw new Problem(413, 'PAYLOAD_TOO_LARGE', { message: `A body may have at most ${maxSize} bytes.` })
  }
  app.all('/mcp', bodyLimit({ maxSize, onError }), context => handler.fetch(context.req.raw))
}
