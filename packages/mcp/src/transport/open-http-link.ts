import { settlesWithin } from '@parley/core'
import type { FetchLike } from '@modelcontextprotocol/client'
import type { McpHttpDefinition } from '../config/mcp-server-definition.ts'
import type { ServerLink } from './server-link.ts'

const GOODBYE_MS = 2_000

/** Prepares the way to a server behind a URL; nothing is sent yet. */
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
    // A server may refuse to end the session, or be gone; either way we leave.
    if ('terminateSession' in transport)
      await settlesWithin(
        transport.terminateSession().catch(() => {}),
        GOODBYE_MS,
      )
    await transport.close()
  }

  return {
    transport,
    pid: undefined,
    stderr: () => '',
    // Without query and credentials, which may be secret.
    describe: () => `${origin}${pathname} could not be reached or closed the connection.`,
    async stop() {
      await (stopping ??= leave())
      return { outcome: 'disconnected' }
    },
  }
}
