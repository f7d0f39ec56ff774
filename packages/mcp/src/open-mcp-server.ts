import type { Json } from '@parley/core'
import { checkServerDefinition } from './check-server-definition.ts'
import type { McpServerDefinition } from './mcp-server-definition.ts'
import type { McpServerStatus } from './mcp-server-status.ts'
import type { McpServer, McpWaitOptions } from './mcp-server.ts'
import type { McpToolInfo } from './mcp-tool-info.ts'
import { mcpTools } from './mcp-tools.ts'
import { createServerSession, type ServerSession } from './server-session.ts'

export interface OpenMcpServerOptions {
  /** Called at every change of `status`. @default nothing is called */
  readonly onStatus?: ((status: McpServerStatus) => void) | undefined
  /**
   * Called with what the server sends unasked, log messages (`notifications/message`) for one. Progress goes to the
   * call it belongs to and `notifications/tools/list_changed` to `onChange`. @default nothing is called
   */
  readonly onNotification?: ((method: string, params: Json | undefined) => void) | undefined
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
 * @throws ParleyError `config-invalid` naming the wrong field; `mcp-server-failed` when the server does not start.
 */
export async function openMcpServer(
  definition: McpServerDefinition,
  {
    onStatus,
    onNotification,
    environment = process.env,
    now = () => performance.now(),
    signal,
  }: OpenMcpServerOptions = {},
): Promise<McpServer> {
  checkServerDefinition(definition, 'server')
  const session = createServerSession(definition, { onStatus, onNotification, environment, now })
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
    close,
    async [Symbol.asyncDispose]() {
      await close()
    },
  }
}
