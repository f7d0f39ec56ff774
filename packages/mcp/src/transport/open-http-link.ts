import { settlesWithin } from '@parley/core'
import type { FetchLike } from '@modelcontextprotocol/client'
import type { McpHttpDefinition } from '../config/mcp-server-definition.ts'
import type { ServerLink } from './server-link.ts'

const TERMINATE_MS = 2_000

/** Prepares the link to a server behind a URL. Sends nothing yet. */
export async function openHttpLink(
  { transport: kind, url, headers = {} }: McpHttpDefinition,
  fetch: FetchLike,
): Promise<ServerLink> {
  const { StreamableHTTPClientTransport, SSEClientTransport } = await import('@modelcontextprotocol/client')
  const options = { requestInit: { headers: { ...headers } }, fetch }
  const transport =
    kind === 'sse'
      ? new SSEClientTransport(new URL(url), options)
      : new StreamableHTTPClientTransport(new URL(url), options)
  const { origin, pathname } = new URL(url)

  let stopping: Promise<void> | undefined
  async function leave(): Promise<void> {
    // A server may refuse to end the session or be unreachable. The client disconnects in any case.
    if ('terminateSession' in transport)
      await settlesWithin(
        transport.terminateSession().catch(() => {}),
        TERMINATE_MS,
      )
    await transport.close()
  }

  return {
    transport,
    pid: undefined,
    stderr: () => '',
    // Without query and credentials: they may be secret.
    describe: () => `${origin}${pathname} could not be reached or closed the connection.`,
    async stop() {
      await (stopping ??= leave())
      return { outcome: 'disconnected' }
    },
  }
}
