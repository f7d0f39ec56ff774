import { openMcpServer } from '../../client/open-mcp-server.ts'
import type { McpServer } from '../../client/mcp-server.ts'
import { createMcpServer, type CreateMcpServerOptions } from '../create-mcp-server.ts'

/** Serves over HTTP with these options, and connects our client. */
export async function openServed(
  options: Partial<CreateMcpServerOptions>,
  protocol: 'legacy' | 'auto',
): Promise<AsyncDisposable & { readonly client: McpServer }> {
  const server = createMcpServer({ name: 'served', version: '1', tools: [], ...options })
  const { url } = await server.listen()
  const client = await openMcpServer({ transport: 'http', name: 'us', url, protocol })
  return {
    client,
    async [Symbol.asyncDispose]() {
      await client.close()
      await server.close()
    },
  }
}
