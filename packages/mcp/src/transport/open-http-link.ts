import { settlesWithin } from '@parley/core'
import type { FetchLike } from '@modelcontextprotocol/client'
import type { McpHttpDefinition } from '../config/mcp-server-definition.ts'
import { createLimitedFetch } from './create-limited-fetch.ts'
import { redactSecrets } from './describe-stderr.ts'
import { MAX_MESSAGE_BYTES } from './max-message-bytes.ts'
import type { ServerLink } from './server-link.ts'

const TERMINATE_MS = 2_000

/** Prepares the link to a server behind a URL. Sends nothing yet. */
export async function openHttpLink(
  { transport: kind, url, headers = {} }: McpHttpDefinition,
  fetch: FetchLike,
  maxBytes = MAX_MESSAGE_BYTES,
): Promise<ServerLink> {
  const { StreamableHTTPClientTransport, SSEClientTransport } = await import('@modelcontextprotocol/client')
  let fault: string | undefined
  // Without the close, the SDK would open a broken event stream again, and the request would wait for its timeout.
  const onTooLong = (): void => {
    fault = `it sent a message of more than ${maxBytes} bytes`
    void transport.close()
  }
  const limited = createLimitedFetch({ fetch, maxBytes, onTooLong })
  const options = { requestInit: { headers: { ...headers } }, fetch: limited }
  const transport =
    kind === 'sse'
      ? new SSEClientTransport(new URL(url), options)
      : new StreamableHTTPClientTransport(new URL(url), options)
  const { origin, pathname, searchParams } = new URL(url)
  const secrets = { ...Object.fromEntries(searchParams), ...headers }

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
    describe: () =>
      fault === undefined ? `${origin}${pathname} could not be reached or closed the connection.` : `${fault}.`,
    redact: text => redactSecrets(text, secrets),
    async stop() {
      await (stopping ??= leave())
      return { outcome: 'disconnected' }
    },
  }
}
