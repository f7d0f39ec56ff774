import { checkOptions, type OptionKinds, type Json, type McpEvent } from '@parley/core'
import type { OpenBrowser } from '../auth/authorize-in-browser.ts'
import { checkServerDefinition } from '../config/check-server-definition.ts'
import type { McpServerDefinition } from '../config/mcp-server-definition.ts'
import type { McpClientFeatures } from '../features/mcp-client-features.ts'
import type { McpTraceContext } from './request-meta.ts'
import type { McpTokenStore } from '../auth/mcp-token-store.ts'
import { createMemoryTokenStore } from '../auth/memory-token-store.ts'
import type { McpServer } from './mcp-server.ts'
import type { McpWaitOptions, McpToolInfo } from '../tools/mcp-tool-host.ts'
import { mcpTools } from '../tools/mcp-tools.ts'
import { createReconnectingServer, type ReconnectingServer } from './reconnecting-server.ts'

/** Options of `openMcpServer`. */
export interface OpenMcpServerOptions extends McpClientFeatures {
  /** Called with the events of the server, including changes of `status`. @default none */
  readonly onEvent?: ((event: McpEvent) => void) | undefined
  /**
   * Called with the server's notifications, for example log messages (`notifications/message`). Progress goes to the call
   * it belongs to, and `notifications/tools/list_changed` to `onChange`. @default none
   */
  readonly onNotification?: ((method: string, params: Json | undefined) => void) | undefined
  /** Stores the tokens. @default a store in memory, for this server alone */
  readonly tokenStore?: McpTokenStore | undefined
  /**
   * Shows the page on which the user authorizes this client, for example `showInBrowser`. Called again if the server
   * requires more scopes. @default none: a server that requires the user's consent fails with `mcp-auth-required`
   */
  readonly openBrowser?: OpenBrowser | undefined
  /** Milliseconds within which the user must agree. The other timeouts do not include this time. @default 300_000 */
  readonly authTimeoutMs?: number | undefined
  /**
   * Called with each request, in the caller's asynchronous context. Its result is sent as `_meta`, so that the server can
   * continue the trace. @default none
   */
  readonly traceContext?: (() => McpTraceContext | undefined) | undefined
  /** Source of the few variables that every stdio server inherits. @default process.env */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
  /** Returns the milliseconds of a monotonic clock, for durations and the restart limit. @default performance.now */
  readonly now?: (() => number) | undefined
  /** Aborts the start and stops the server. Has no effect once the server is open. */
  readonly signal?: AbortSignal | undefined
}

/** The types of the options of `openMcpServer`. */
export const SERVER_OPTIONS: OptionKinds<OpenMcpServerOptions> = {
  onEvent: 'function',
  onNotification: 'function',
  tokenStore: 'object',
  openBrowser: 'function',
  authTimeoutMs: 'number',
  traceContext: 'function',
  environment: 'object',
  now: 'function',
  signal: 'signal',
  onElicit: 'function',
  sampling: 'any',
  roots: 'list',
}

/**
 * Starts or reaches an MCP server and performs the handshake. The server runs until it is closed. It is killed if this
 * process exits or is ended by SIGINT, SIGTERM or SIGHUP. If this process is ended by SIGKILL, the server only sees its
 * stdin close.
 * @throws ParleyError `config-invalid` naming the invalid field; `mcp-server-failed` if the server does not start.
 * @throws ParleyError `mcp-auth-required` if the server requires the user's consent, and `openBrowser` is missing or
 * the user refuses.
 */
export async function openMcpServer(
  definition: McpServerDefinition,
  serverOptions: OpenMcpServerOptions = {},
): Promise<McpServer> {
  checkOptions('openMcpServer', serverOptions, SERVER_OPTIONS)
  const {
    environment = process.env,
    tokenStore = createMemoryTokenStore(),
    authTimeoutMs = 300_000,
    now = () => performance.now(),
    signal,
    ...options
  } = serverOptions
  checkServerDefinition(definition, 'server')
  const session = createReconnectingServer(definition, { ...options, environment, tokenStore, authTimeoutMs, now })
  try {
    await session.supervisor.connect(signal)
  } catch (error) {
    await session.close()
    throw error
  }
  return toMcpServer(definition, session)
}

function toMcpServer({ name, tools }: McpServerDefinition, session: ReconnectingServer): McpServer {
  const { supervisor, toolList, requests, callTimeoutMs, close } = session
  const { fetchTools: _, ...asking } = requests
  const listTools = ({ signal }: McpWaitOptions = {}): Promise<readonly McpToolInfo[]> => toolList.get(signal)
  const { callTool } = requests
  const view = mcpTools({ name, callTimeoutMs, listTools, callTool, onChange: toolList.onChange }, tools)
  return {
    ...asking,
    name,
    callTimeoutMs,
    get status() {
      return supervisor.status
    },
    get serverInfo() {
      return session.last?.client.getServerVersion()
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
    onChange: toolList.onChange,
    onEvent: session.onEvent,
    setRoots: session.setRoots,
    reauthenticate: ({ signal } = {}) => session.reauthenticate(signal),
    close,
    async [Symbol.asyncDispose]() {
      await close()
    },
  }
}
