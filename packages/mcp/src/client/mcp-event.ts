import type { ErrorInfo } from '@parley/core'
import type { ToolListDiff } from './tool-catalog.ts'
import type { McpServerStatus } from '../connection/server-supervisor.ts'
import type { McpStopReport } from '../transport/server-link.ts'

/** An event of an open server, for logs and metrics. Durations are in milliseconds. */
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
      readonly outcome: McpStopReport['outcome']
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
  | (ToolListDiff & { readonly type: 'mcp.tools.changed'; readonly server: string })

interface McpAnswered {
  readonly server: string
  readonly durationMs: number
  /** Why the request failed. Absent if it succeeded. */
  readonly error?: ErrorInfo | undefined
}
