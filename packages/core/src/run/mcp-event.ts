import type { ErrorInfo } from '../schema/error-info.ts'

/** The state of an MCP server. After `failed`, the next call or listing starts the server again. `stopped` is final. */
export type McpServerStatus =
  | { readonly state: 'connecting' }
  | { readonly state: 'ready' }
  /** The user must agree. Calls fail until `reauthenticate`, or until the token store has a token. */
  | { readonly state: 'needs-auth'; readonly error: ErrorInfo }
  /** The connection to a server behind a URL was lost. The client reconnects after `retryInMs`, or with the next call. */
  | { readonly state: 'backoff'; readonly error: ErrorInfo; readonly retryInMs: number }
  | { readonly state: 'failed'; readonly error: ErrorInfo }
  | { readonly state: 'stopped' }

/** Changes of a tool list, by the server's names for the tools. */
export interface McpToolListDiff {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Tools with another description, schema or hint. */
  readonly changed: readonly string[]
}

/** An event of an MCP server, for logs and metrics. Durations are in milliseconds. */
export type McpEvent =
  /** The handshake is done, after the first start or after a restart. */
  | { readonly type: 'mcp.server.started'; readonly server: string; readonly durationMs: number }
  /** The server did not start, or the connection was lost. */
  | {
      readonly type: 'mcp.server.failed'
      readonly server: string
      readonly durationMs: number
      readonly error: ErrorInfo
    }
  | {
      readonly type: 'mcp.server.stopped'
      readonly server: string
      readonly durationMs: number
      /**
       * `exited`: by itself or after its stdin was closed. `terminated`: after SIGTERM. `killed`: after SIGKILL.
       * `disconnected`: a server behind a URL, which keeps running. `not-running`: no process was running.
       */
      readonly outcome: 'exited' | 'terminated' | 'killed' | 'disconnected' | 'not-running'
    }
  | { readonly type: 'mcp.server.state'; readonly server: string; readonly status: McpServerStatus }
  | { readonly type: 'mcp.tool.invoked'; readonly server: string; readonly tool: string }
  | (McpAnswered & {
      readonly type: 'mcp.tool.completed'
      readonly tool: string
      /** Whether the tool itself reported a failure. */
      readonly isError: boolean
    })
  | (McpAnswered & { readonly type: 'mcp.resource.read'; readonly uri: string })
  | (McpAnswered & { readonly type: 'mcp.prompt.rendered'; readonly prompt: string })
  /** A subscribed resource has changed. */
  | { readonly type: 'mcp.resource.updated'; readonly server: string; readonly uri: string }
  /** The server announced a change of its list. */
  | {
      readonly type: 'mcp.list.changed'
      readonly server: string
      readonly list: 'tools' | 'resources' | 'prompts'
    }
  /** The tool list was fetched again and differs. Tools are named as on the server. */
  | (McpToolListDiff & { readonly type: 'mcp.tools.changed'; readonly server: string })

interface McpAnswered {
  readonly server: string
  readonly durationMs: number
  /** Why the request failed. Absent if it succeeded. */
  readonly error?: ErrorInfo | undefined
}
