import type { Tool, ToolSource } from '@parley/core'
import { createHttpSessions } from './http-sessions.ts'
import { openHttpListener, type HttpListener } from './open-http-listener.ts'
import type { McpApproval } from './run-served-tool.ts'
import { createServedTools } from './served-tools.ts'
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
  /**
   * Streamable HTTP, as a handler of web requests. It checks neither the caller nor the `Host` header. Clients of revisions
   * before 2026-07-28 have a session here: behind several processes, each of them must come back to its own.
   */
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

  async function openHandler(): Promise<(request: Request) => Promise<Response>> {
    const { createMcpHandler, isLegacyRequest } = await import('@modelcontextprotocol/server')
    const modern = createMcpHandler(makeServer, { onerror: onError, legacy: 'reject' })
    const sessions = createHttpSessions({ makeServer })
    const stop = served.onChange(() => modern.notify.toolsChanged())
    closers.add(async () => {
      stop()
      await Promise.all([modern.close(), sessions.close()])
    })
    return async request =>
      (await isLegacyRequest(request)) ? await sessions.respond(request) : await modern.fetch(request)
  }

  async function respond(request: Request): Promise<Response> {
    if (closed.signal.aborted) return new Response('The server is closed.', { status: 503 })
    const handle = await (handler ??= openHandler())
    return await handle(request)
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
