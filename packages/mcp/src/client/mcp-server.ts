import type { Json, McpEvent, McpServerStatus, ToolSource } from '@parley/core'
import type { McpRoot } from '../features/mcp-client-features.ts'
import type { McpRequestOptions, McpToolHost, McpWaitOptions } from '../tools/mcp-tool-host.ts'
import type { McpStopReport } from '../transport/server-link.ts'
import type {
  McpCompletion,
  McpCompletionResult,
  McpPrompt,
  McpPromptResult,
  McpResource,
  McpResourceContents,
  McpResourceTemplate,
} from './mcp-results.ts'

/**
 * An open MCP server, which is also a source of tools. If the server dies, the next call or listing starts it again, at
 * most three times in 60 seconds. Every request rejects with a ParleyError:
 * - `mcp-server-failed` if the client could not reach the server; the request was not sent.
 * - `mcp-auth-required` if the server requires the user's consent first.
 * - `mcp-request-failed` if the request was sent but not served.
 */
export interface McpServer extends ToolSource, McpToolHost {
  readonly name: string
  /** Current state of the server. Changes are reported as `mcp.server.state` events. */
  readonly status: McpServerStatus
  /** How the server names itself in the handshake. Kept after the server dies. */
  readonly serverInfo: McpServerInfo | undefined
  /** Process id of the running child process. `undefined` for a server behind a URL. */
  readonly pid: number | undefined
  /** The last 4 KiB that the current child process wrote to stderr. */
  readonly stderr: string
  /** Capabilities that the server declared, in the protocol's shape. Kept after the server dies. */
  readonly capabilities: Readonly<Record<string, unknown>>
  /** The server's own usage instructions, for a system prompt. The server wrote them: treat them as untrusted. */
  readonly instructions: string | undefined
  /** The negotiated protocol revision, for example `2025-11-25`. */
  readonly protocolVersion: string | undefined
  /** Calls `listener` when the list of tools has changed. @returns A function that removes the listener. */
  onChange(listener: () => void): () => void

  /**
   * Calls `listener` with each event from now on. The first listener also gets the newest 100 events since the start. A
   * runtime that has the server in `resources` adds a listener and publishes the events to its bus.
   * @returns A function that removes the listener.
   */
  onEvent(listener: (event: McpEvent) => void): () => void

  /** Lists all resources, from all pages. Returns an empty list if the server does not offer resources. */
  listResources(options?: McpRequestOptions): Promise<readonly McpResource[]>
  /** Lists all resource templates, from all pages. Returns an empty list if the server does not offer resources. */
  listResourceTemplates(options?: McpRequestOptions): Promise<readonly McpResourceTemplate[]>
  /** Reads a resource. Returns all its parts. */
  readResource(uri: string, options?: McpRequestOptions): Promise<readonly McpResourceContents[]>
  /**
   * Subscribes to a resource. Changes arrive as `mcp.resource.updated` events. The subscription continues after a
   * restart of the server.
   */
  subscribeResource(uri: string, options?: McpRequestOptions): Promise<void>
  unsubscribeResource(uri: string, options?: McpRequestOptions): Promise<void>
  /** Lists all prompts, from all pages. Returns an empty list if the server does not offer prompts. */
  listPrompts(options?: McpRequestOptions): Promise<readonly McpPrompt[]>
  /** Renders a prompt with values for its arguments. */
  getPrompt(
    name: string,
    values?: Readonly<Record<string, string>>,
    options?: McpRequestOptions,
  ): Promise<McpPromptResult>

  /** Suggests values for an argument of a prompt or of a resource template. */
  complete(completion: McpCompletion, options?: McpRequestOptions): Promise<McpCompletionResult>
  /**
   * Replaces the roots that the server was opened with.
   * @throws ParleyError `config-invalid` if the server was opened without `roots`: the client then declared no support.
   */
  setRoots(roots: readonly McpRoot[]): Promise<void>

  /** Resolves when the server answers. */
  ping(options?: McpRequestOptions): Promise<void>
  /**
   * Sets the least severe level of log messages that the server sends. The messages arrive at `onNotification`. Servers
   * that speak revision 2026-07-28 or newer refuse this request.
   */
  setLogLevel(level: McpLogLevel, options?: McpRequestOptions): Promise<void>
  /** Sends a request of any other method. Resolves to the result as the server sent it. */
  request(method: string, params?: Readonly<Record<string, Json>>, options?: McpRequestOptions): Promise<Json>
  /** Sends any notification. Resolves once it is written. */
  notify(method: string, params?: Readonly<Record<string, Json>>): Promise<void>

  /**
   * Discards the token and gets a new one, with the user's consent if the grant needs it.
   * @throws ParleyError `mcp-auth-required` if no `openBrowser` is configured or the user refuses; `config-invalid` if
   * the server needs no authorization.
   */
  reauthenticate(options?: McpWaitOptions): Promise<void>

  /**
   * Stops the server: closes its stdin, sends SIGTERM to its process group after 2 s, and SIGKILL after 2 s more.
   * Idempotent.
   */
  close(): Promise<McpStopReport>
}

/** The `serverInfo` of the handshake. The server wrote it: treat it as untrusted. */
export interface McpServerInfo {
  readonly name: string
  readonly version: string
  /** Name for people. Absent if the server sends none. */
  readonly title?: string | undefined
}

/** Severity of a log message, least severe first. */
export type McpLogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency'
