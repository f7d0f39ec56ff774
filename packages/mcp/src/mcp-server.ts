import type { Json, ToolSource } from '@parley/core'
import type {
  McpCallResult,
  McpCompletion,
  McpCompletionResult,
  McpPrompt,
  McpPromptResult,
  McpResource,
  McpResourceContents,
  McpResourceTemplate,
} from './mcp-results.ts'
import type { McpRoot } from './mcp-client-features.ts'
import type { McpServerStatus } from './mcp-server-status.ts'
import type { McpStopReport } from './mcp-stop-report.ts'
import type { McpToolInfo } from './mcp-tool-info.ts'

/**
 * An open MCP server, which is also a source of tools. When it dies, the next call or listing starts it again, at most
 * three times in 60 seconds. Everything that asks the server rejects with a ParleyError: `mcp-server-failed` when the
 * server could not be reached and the request was not sent, `mcp-auth-required` when it first wants a user's consent, `mcp-request-failed` when it was sent and not served.
 */
export interface McpServer extends ToolSource {
  readonly status: McpServerStatus
  /** Of the child process that runs now. */
  readonly pid: number | undefined
  /** The last 4 KiB that the present child process wrote to stderr. */
  readonly stderr: string
  /** What the server said it can do, in the protocol's shape; kept when it dies. */
  readonly capabilities: Readonly<Record<string, unknown>>
  /** How the server wants to be used, for a system prompt. Written by the server: untrusted. */
  readonly instructions: string | undefined
  /** The revision that is spoken, `2025-11-25` for one. */
  readonly protocolVersion: string | undefined
  /** Milliseconds one request may take. Its tools carry it as their `timeoutMs`. */
  readonly callTimeoutMs: number

  /** Every tool of the server, all pages, under its own name. Asks again only after the server said they changed. */
  listTools(options?: McpWaitOptions): Promise<readonly McpToolInfo[]>
  onChange(listener: () => void): () => void
  /** Calls a tool by the server's name for it. A failure of the tool itself is a result with `isError`. */
  callTool(name: string, input: unknown, options?: McpCallOptions): Promise<McpCallResult>

  /** All pages; empty when the server offers none. */
  listResources(options?: McpRequestOptions): Promise<readonly McpResource[]>
  /** All pages; empty when the server offers none. */
  listResourceTemplates(options?: McpRequestOptions): Promise<readonly McpResourceTemplate[]>
  readResource(uri: string, options?: McpRequestOptions): Promise<readonly McpResourceContents[]>
  /** From now on changes of the resource arrive as `mcp.resource.updated`; kept over restarts. */
  subscribeResource(uri: string, options?: McpRequestOptions): Promise<void>
  unsubscribeResource(uri: string, options?: McpRequestOptions): Promise<void>
  /** All pages; empty when the server offers none. */
  listPrompts(options?: McpRequestOptions): Promise<readonly McpPrompt[]>
  getPrompt(
    name: string,
    values?: Readonly<Record<string, string>>,
    options?: McpRequestOptions,
  ): Promise<McpPromptResult>

  /** What a value of a prompt's or a resource template's argument could be. */
  complete(completion: McpCompletion, options?: McpRequestOptions): Promise<McpCompletionResult>
  /**
   * Tells the server other roots than it was opened with.
   * @throws ParleyError `config-invalid` when it was opened without `roots`, so that it was told there are none.
   */
  setRoots(roots: readonly McpRoot[]): Promise<void>

  /** Resolves when the server answers. */
  ping(options?: McpRequestOptions): Promise<void>
  /** The least severe log message it should send; they arrive at `onNotification`. Refused from 2026-07-28 on. */
  setLogLevel(level: McpLogLevel, options?: McpRequestOptions): Promise<void>
  /** Any other request. Resolves to the result as it came. */
  request(method: string, params?: Readonly<Record<string, Json>>, options?: McpRequestOptions): Promise<Json>
  /** Any notification. Resolves once it is written. */
  notify(method: string, params?: Readonly<Record<string, Json>>): Promise<void>

  /**
   * Forgets the token and gets another, from the user where the grant needs one.
   * @throws ParleyError `mcp-auth-required` when nobody can be asked or they refuse; `config-invalid` for a server that
   * needs no authorization.
   */
  reauthenticate(options?: McpWaitOptions): Promise<void>

  /** Ends the server: closes its stdin, after 2 s SIGTERM to its process group, after 2 s more SIGKILL. Idempotent. */
  close(): Promise<McpStopReport>
}

export type McpLogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency'

export interface McpWaitOptions {
  /** Gives up waiting and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export interface McpRequestOptions {
  /** Milliseconds until the server is told to cancel. @default the definition's callTimeoutMs */
  readonly timeoutMs?: number | undefined
  /** Tells the server to cancel, and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export interface McpCallOptions extends McpRequestOptions {
  /** Whether the call may be sent a second time, when a server behind a URL is lost. @default false */
  readonly idempotent?: boolean | undefined
  /** Called with each progress notification of this call. @default progress is not asked for */
  readonly onProgress?: ((progress: McpProgress) => void) | undefined
}

export interface McpProgress {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}
