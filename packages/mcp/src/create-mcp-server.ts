import type { Tool, ToolSource } from '@parley/core'
import { openHttpListener, type HttpListener } from './open-http-listener.ts'
import { createServedTools, type McpApproval } from './served-tools.ts'
import { createSdkServer } from './sdk-server.ts'

export interface CreateMcpServerOptions {
  /** What clients show as the server's name. */
  readonly name: string
  readonly version: string
  /** How the tools are meant to be used; clients give it to their model. @default none */
  readonly instructions?: string | undefined
  /** Tools and sources of them. A source's tools are listed anew at each listing; it stays open when the server closes. */
  readonly tools: readonly (Tool | ToolSource)[]
  /**
   * Decides calls of tools whose permission is to ask, and of tools that ask by themselves.
   * @default such calls are refused
   */
  readonly approve?: ((approval: McpApproval) => boolean | Promise<boolean>) | undefined
  /** Milliseconds for tools that have no timeout of their own. @default 60_000 */
  readonly toolTimeoutMs?: number | undefined
  /** Told what goes wrong outside any call. @default nothing is called */
  readonly onError?: ((error: Error) => void) | undefined
}

/** Tools behind the protocol, in every revision up to 2026-07-28. */
export interface McpToolServer extends AsyncDisposable {
  /** Streamable HTTP, as a handler of web requests. It checks neither the caller nor the `Host` header. */
  fetch(request: Request): Promise<Response>
  /** Streamable HTTP on a port of this machine, for programs on this machine. */
  listen(options?: McpListenOptions): Promise<HttpListener>
  /** Speaks over this process's stdin and stdout, which nothing else may use. Resolves when the client has left. */
  serveStdio(): Promise<void>
  /** Cancels what runs and ends all connections. */
  close(): Promise<void>
}

export interface McpListenOptions {
  /** @default a free one */
  readonly port?: number | undefined
  /** Requests that name another host are refused, so that no web page can reach it. @default '127.0.0.1' */
  readonly hostname?: '127.0.0.1' | 'localhost' | '::1' | undefined
}

/** Offers Parley tools to any MCP client. Nothing is loaded or opened before it is served. */
export function createMcpServer({
  approve,
  toolTimeoutMs = 60_000,
  onError = () => {},
  tools,
  ...identity
}: CreateMcpServerOptions): McpToolServer {
  const closed = new AbortController()
  const served = createServedTools({ server: identity.name, tools, approve, toolTimeoutMs, signal: closed.signal })
  const closers = new Set<() => Promise<void>>()
  const makeServer = async (): ReturnType<typeof createSdkServer> => await createSdkServer({ ...identity, served })
  let handler: ReturnType<typeof openHandler> | undefined

  async function openHandler() {
    const { createMcpHandler } = await import('@modelcontextprotocol/server')
    const opened = createMcpHandler(makeServer, { onerror: onError })
    const stop = served.onChange(() => opened.notify.toolsChanged())
    closers.add(async () => {
      stop()
      await opened.close()
    })
    return opened
  }

  async function respond(request: Request): Promise<Response> {
    if (closed.signal.aborted) return new Response('The server is closed.', { status: 503 })
    return await (await (handler ??= openHandler())).fetch(request)
  }

  async function close(): Promise<void> {
    closed.abort(new Error('the server was closed'))
    const closing = [...closers].map(async end => await end())
    closers.clear()
    await Promise.all(closing)
  }

  return {
    fetch: respond,
    async listen({ port = 0, hostname = '127.0.0.1' } = {}) {
      const listener = await openHttpListener({ port, hostname, respond })
      closers.add(async () => await listener[Symbol.asyncDispose]())
      return listener
    },
    async serveStdio() {
      const { serveStdio } = await import('@modelcontextprotocol/server/stdio')
      const handle = serveStdio(makeServer, { onerror: onError })
      const left = Promise.withResolvers<void>()
      closers.add(async () => {
        await handle.close()
        left.resolve()
      })
      for (const end of ['end', 'close']) process.stdin.once(end, () => left.resolve())
      await left.promise
      await close()
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
