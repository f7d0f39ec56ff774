import type { McpServerFactory } from '@modelcontextprotocol/server'

/** A server on this process's stdin and stdout. */
export interface StdioServer {
  /** Resolves when the client has disconnected, or when the server is closed. */
  readonly left: Promise<void>
  close(this: void): Promise<void>
}

export async function openStdioServer(
  makeServer: McpServerFactory,
  onError: (error: Error) => void,
): Promise<StdioServer> {
  const { serveStdio, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio')
  const transport = new StdioServerTransport()
  const handle = serveStdio(makeServer, { onerror: onError, transport })
  const left = Promise.withResolvers<void>()
  const { onclose } = transport
  // The SDK closes the transport if a message has more than 10 MiB. It then reads no more, so stdin never ends.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's transport has no addEventListener
  transport.onclose = () => {
    onclose?.()
    left.resolve()
  }
  for (const end of ['end', 'close']) process.stdin.once(end, () => left.resolve())
  return {
    left: left.promise,
    async close() {
      await handle.close()
      left.resolve()
    },
  }
}
