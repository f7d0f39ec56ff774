import type { ErrorInfo } from '@parley/core'
import type { ToolListDiff } from './tool-catalog.ts'
import type { McpServerStatus } from '../connection/server-supervisor.ts'
import type { McpStopReport } from '../transport/server-link.ts'

/** What an open server does, for logs and metrics. Durations are milliseconds. */
export type McpEvent =
  /** It shook hands: after the first start and after each restart. */
  | { readonly type: 'mcp.server.started'; readonly server: string; readonly durationMs: number }
  /** It did not start, or it was lost. */
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
      /** The tool itself said that it failed. */
      readonly isError: boolean
    })
  | (McpAnswered & { readonly type: 'mcp.resource.read'; readonly uri: string })
  | (McpAnswered & { readonly type: 'mcp.prompt.rendered'; readonly prompt: string })
  /** A resource that is subscribed to has changed. */
  | { readonly type: 'mcp.resource.updated'; readonly server: string; readonly uri: string }
  /** The server said that its list has changed. */
  | {
      readonly type: 'mcp.list.changed'
      readonly server: string
      readonly list: 'tools' | 'resources' | 'prompts'
    }
  /** Its list of tools was read again, and is another one: what is different, by the server's own names. */
  | (ToolListDiff & { readonly type: 'mcp.tools.changed'; readonly server: string })

interface McpAnswered {
  readonly server: string
  readonly durationMs: number
  /** Why there is no answer; absent when there is one. */
  readonly error?: ErrorInfo | undefined
}
