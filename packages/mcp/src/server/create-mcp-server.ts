import { checkOptions, type OptionKinds, type Tool, type ToolSource } from '@parley/core'
import type { McpRequestContext } from '@modelcontextprotocol/server'
import { guardOf } from './served-parts.ts'
import { createHttpSessions } from './http-sessions.ts'
import { openHttpListener, type HttpListener } from './open-http-listener.ts'
import type { McpApproval } from './run-served-tool.ts'
import { openStdioServer } from './open-stdio-server.ts'
import { createSdkServer } from './sdk-server.ts'
import { checkPrompts, type McpServedPrompt } from './serve-prompts.ts'
import { checkResources, watchResources, type McpServedResource } from './serve-resources.ts'
import { createServedTools } from './served-tools.ts'

/** Options of `createMcpServer`. */
export interface CreateMcpServerOptions {
  /** Name of the server, as clients show it. */
  readonly name: string
  /** Version of the server, as clients show it. */
  readonly version: string
  /** Usage instructions for the tools. Clients give them to their model. @default none */
  readonly instructions?: string | undefined
  /**
   * Tools and tool sources. Each request for the list asks a source again. A source stays open when the server closes.
   */
  readonly tools: readonly (Tool | ToolSource)[]
  /** Prompts that users of a client can choose. @default [] */
  readonly prompts?: readonly McpServedPrompt[] | undefined
  /** Data that clients can read. If a URI fits several of them, the first one is read. @default [] */
  readonly resources?: readonly McpServedResource[] | undefined
  /**
   * Approves or refuses calls of tools with the permission `ask`, and of tools that return `toolAsk`.
   * @default none: such calls are refused
   */
  readonly approve?: ((approval: McpApproval) => boolean | Promise<boolean>) | undefined
  /** Timeout in milliseconds for tools without their own. @default 60_000 */
  readonly toolTimeoutMs?: number | undefined
  /** Called with errors outside a tool call, and with failures of tools whose details the client does not get. @default none */
  readonly onError?: ((error: Error) => void) | undefined
}

/**
 * An MCP server that offers Parley tools, prompts and resources, in every protocol revision up to 2026-07-28. Progress of a
 * tool goes to clients that ask for it, and to others as log messages of the level `info`. A failed call is a log message of
 * the level `error`.
 */
export interface McpToolServer extends AsyncDisposable {
  /**
   * Handles a web request (Streamable HTTP). Checks neither the caller nor the `Host` header. Clients of revisions
   * before 2026-07-28 have a session in this process: if there are several processes, always route a client to the same
   * one.
   */
  fetch(request: Request): Promise<Response>
  /** Serves Streamable HTTP on a local port, for programs on this machine. */
  listen(options?: McpListenOptions): Promise<HttpListener>
  /** Serves over this process's stdin and stdout. Nothing else may use them. Resolves when the client has disconnected. */
  serveStdio(): Promise<void>
  /** Cancels running calls and closes all connections. */
  close(): Promise<void>
}

/** Options of `McpToolServer.listen`. */
export interface McpListenOptions {
  /** Port to listen on. @default any free port */
  readonly port?: number | undefined
  /** Host to listen on. Requests that name another host are refused, so that web pages cannot call. @default '127.0.0.1' */
  readonly hostname?: '127.0.0.1' | 'localhost' | '::1' | undefined
}

const OPTIONS: OptionKinds<CreateMcpServerOptions> = {
  name: 'string!',
  version: 'string!',
  instructions: 'string',
  tools: 'list!',
  prompts: 'list',
  resources: 'list',
  approve: 'function',
  toolTimeoutMs: 'number',
  onError: 'function',
}

/**
 * Creates an MCP server from Parley tools, prompts and resources. It opens no connection until `listen`, `serveStdio` or `fetch` is called.
 */
export function createMcpServer(options: CreateMcpServerOptions): McpToolServer {
  checkOptions('createMcpServer', options, OPTIONS)
  const {
    approve,
    toolTimeoutMs = 60_000,
    onError = () => {},
    tools,
    prompts = [],
    resources = [],
    ...identity
  } = options
  checkPrompts('createMcpServer.prompts', prompts)
  checkResources('createMcpServer.resources', resources)
  const closed = new AbortController()
  const served = createServedTools({
    server: identity.name,
    tools,
    approve,
    toolTimeoutMs,
    onFailure: onError,
    signal: closed.signal,
  })
  const guard = guardOf(onError)
  const closers = new Set<() => Promise<void>>()
  const makeServer = async (context?: McpRequestContext): ReturnType<typeof createSdkServer> =>
    await createSdkServer({ ...identity, served, prompts, resources, guard, signal: closed.signal }, context)
  let handler: ReturnType<typeof openHandler> | undefined

  async function openHandler(): Promise<(request: Request) => Promise<Response>> {
    const { createMcpHandler, isLegacyRequest } = await import('@modelcontextprotocol/server')
    const modern = createMcpHandler(makeServer, { onerror: onError, legacy: 'reject' })
    const sessions = createHttpSessions({ makeServer })
    const stops = [
      served.onChange(() => modern.notify.toolsChanged()),
      watchResources(resources, uri => modern.notify.resourceUpdated(uri)),
    ]
    closers.add(async () => {
      for (const stop of stops) stop()
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
      const connection = await openStdioServer(makeServer, onError)
      closers.add(connection.close)
      await connection.left
      await close()
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
