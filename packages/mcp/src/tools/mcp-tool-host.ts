import type { JsonSchemaObject } from '@parley/core'

/** The part of an open server that `mcpTools` needs. */
export interface McpToolHost {
  readonly name: string
  /** Milliseconds one request may take. Tools of this server carry it as their `timeoutMs`. */
  readonly callTimeoutMs: number
  /**
   * Lists all tools of the server, from all pages, under the server's own names. Asks the server again only after a
   * change.
   */
  listTools(options?: McpWaitOptions): Promise<readonly McpToolInfo[]>
  /** Calls a tool by the server's name for it. A failure of the tool itself is a result with `isError`. */
  callTool(name: string, input: unknown, options?: McpCallOptions): Promise<McpCallResult>
  /** Calls `listener` when the list of tools has changed. @returns A function that removes the listener. */
  onChange(listener: () => void): () => void
}

/** A tool as its server describes it. */
export interface McpToolInfo {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  /** The schema exactly as the server sent it. */
  readonly inputSchema: JsonSchemaObject
  readonly outputSchema?: JsonSchemaObject | undefined
  /** Hints that the server gives about its tool. They are not verified. */
  readonly annotations?:
    | {
        readonly readOnlyHint?: boolean | undefined
        readonly destructiveHint?: boolean | undefined
        readonly idempotentHint?: boolean | undefined
        readonly openWorldHint?: boolean | undefined
      }
    | undefined
}

/** The result of a tool, in the protocol's shape. */
export interface McpCallResult {
  readonly content: readonly McpContent[]
  /** The result as data. Matches the tool's output schema if the tool declares one. */
  readonly structuredContent?: unknown
  readonly isError?: boolean | undefined
}

/** One part of content: `text`, `image`, `audio`, `resource`, `resource_link`, or a kind of a later revision. */
export interface McpContent {
  readonly type: string
  readonly [field: string]: unknown
}

/** Options of calls that may wait. */
export interface McpWaitOptions {
  /** Stops waiting and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** Options of one request. */
export interface McpRequestOptions {
  /** Milliseconds until the client cancels the request. @default the definition's callTimeoutMs */
  readonly timeoutMs?: number | undefined
  /** Cancels the request and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** Options of one tool call. */
export interface McpCallOptions extends McpRequestOptions {
  /** Whether the client may send the call again after the connection to a server behind a URL was lost. @default false */
  readonly idempotent?: boolean | undefined
  /** Called with each progress notification of this call. @default none: progress is not requested */
  readonly onProgress?: ((progress: McpProgress) => void) | undefined
}

/** Progress of a tool call, as the server reports it. */
export interface McpProgress {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}
