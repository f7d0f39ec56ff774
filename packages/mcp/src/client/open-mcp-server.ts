import type { Json } from '@parley/core'
import type { OpenBrowser } from '../auth/authorize-in-browser.ts'
import { checkServerDefinition } from '../config/check-server-definition.ts'
import type { McpServerDefinition } from '../config/mcp-server-definition.ts'
import type { McpEvent } from './mcp-event.ts'
import type { McpClientFeatures } from '../features/mcp-client-features.ts'
import type { McpTraceContext } from './request-meta.ts'
import type { McpTokenStore } from '../auth/mcp-token-store.ts'
import { createMemoryTokenStore } from '../auth/memory-token-store.ts'
import type { McpServer } from './mcp-server.ts'
import type { McpWaitOptions, McpToolInfo } from '../tools/mcp-tool-host.ts'
import { mcpTools } from '../tools/mcp-tools.ts'
import { createServerSession, type ServerSession } from './server-session.ts'

export interface OpenMcpServerOptions extends McpClientFeatures {
  /** Called with what the server does, changes of `status` among it. @default nothing is called */
  readonly onEvent?: ((event: McpEvent) => void) | undefined
  /**
   * Called with what the server sends unasked, log messages (`notifications/message`) for one. Progress goes to the
   * call it belongs to and `notifications/tools/list_changed` to `onChange`. @default nothing is called
   */
  readonly onNotification?: ((method: string, params: Json | undefined) => void) | undefined
  /** Where tokens are kept. @default a store in memory, for this server alone */
  readonly tokenStore?: McpTokenStore | undefined
  /**
   * Shows a page on which the user lets this client use the server; `showInBrowser` for one. Asked again when the server
   * wants more rights. @default nobody is asked: a server that wants that fails with `mcp-auth-required`
   */
  readonly openBrowser?: OpenBrowser | undefined
  /** Milliseconds the user has to agree. The other timeouts do not run meanwhile. @default 300_000 */
  readonly authTimeoutMs?: number | undefined
  /**
   * Called at each request, in the caller's asynchronous context: what it gives goes along as `_meta`, so that the server
   * may go on with the trace. @default nothing is sent
   */
  readonly traceContext?: (() => McpTraceContext | undefined) | undefined
  /** Where the few variables come from that every server gets. @default process.env */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
  /** Milliseconds of a clock that does not go back; counts the restarts. @default performance.now */
  readonly now?: (() => number) | undefined
  /** Ends the start, and with it the server. Has no effect once the server is open. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Starts or reaches an MCP server and shakes hands with it. The server runs until it is closed; it is killed when this
 * process exits or dies of SIGINT, SIGTERM or SIGHUP. When this process is killed by SIGKILL, a server only sees its
 * stdin close.
 * @throws ParleyError `config-invalid` naming the wrong field; `mcp-server-failed` when the server does not start;
 * `mcp-auth-required` when it wants a user's consent and there is nobody to ask, or they refuse.
 */
export async function openMcpServer(
  definition: McpServerDefinition,
  {
    environment = process.env,
    tokenStore = createMemoryTokenStore(),
    authTimeoutMs = 300_000,
    now = () => performance.now(),
    signal,
    ...options
  }: OpenMcpServerOptions = {},
): Promise<McpServer> {
  checkServerDefinition(definition, 'server')
  const session = createServerSession(definition, { ...options, environment, tokenStore, authTimeoutMs, now })
  try {
    await session.supervisor.connect(signal)
  } catch (error) {
    await session.close()
    throw error
  }
  return toMcpServer(definition, session)
}

function toMcpServer({ name, tools }: McpServerDefinition, session: ServerSession): McpServer {
  const { supervisor, catalog, requests, callTimeoutMs, close } = session
  const { fetchTools: _, ...asking } = requests
  const listTools = ({ signal }: McpWaitOptions = {}): Promise<readonly McpToolInfo[]> => catalog.get(signal)
  const { callTool } = requests
  const view = mcpTools({ name, callTimeoutMs, listTools, callTool, onChange: catalog.onChange }, tools)
  return {
    ...asking,
    name,
    callTimeoutMs,
    get status() {
      return supervisor.status
    },
    get pid() {
      return supervisor.current?.link.pid
    },
    get stderr() {
      return session.last?.link.stderr() ?? ''
    },
    get capabilities() {
      return session.last?.client.getServerCapabilities() ?? {}
    },
    get instructions() {
      return session.last?.client.getInstructions()
    },
    get protocolVersion() {
      return session.last?.client.getNegotiatedProtocolVersion()
    },
    listTools,
    tools: view.tools,
    onChange: catalog.onChange,
    setRoots: session.setRoots,
    reauthenticate: ({ signal } = {}) => session.reauthenticate(signal),
    close,
    async [Symbol.asyncDispose]() {
      await close()
    },
  }
}
