import { toErrorInfo, type McpEvent, type McpServerStatus, type McpToolListDiff } from '@parley/core'
import { callListener } from '../call-listener.ts'
import { createEventLog, type EventLog } from './event-log.ts'
import type { McpRequests } from './mcp-requests.ts'
import type { McpStopReport } from '../transport/server-link.ts'

/** Reports the events of one server to its listeners. */
export interface EventReporter extends EventLog {
  /** Reports a change of the status, and the start or failure that it means. */
  status(status: McpServerStatus): void
  toolsChanged(diff: McpToolListDiff): void
  /** Reports that the server stopped. Only the first call has an effect. */
  stopped(outcome: McpStopReport['outcome']): void
  /** Wraps the requests so that they are reported. */
  observe(requests: McpRequests): McpRequests
}

export interface EventReporterOptions {
  readonly server: string
  /** Returns the milliseconds of a monotonic clock. */
  readonly now: () => number
  readonly onEvent: ((event: McpEvent) => void) | undefined
}

export function createEventReporter({ server, now, onEvent }: EventReporterOptions): EventReporter {
  let since = now()
  let isStopped = false
  const log = createEventLog()
  const emit = (event: McpEvent): void => {
    callListener(() => onEvent?.(event))
    log.emit(event)
  }
  const elapsed = (start: number): number => Math.max(0, now() - start)

  /** Measures `work` and reports its event. @param toEvent Creates the event for a result or a failure. */
  async function timed<TResult>(
    work: () => Promise<TResult>,
    toEvent: (durationMs: number, answer: { readonly result: TResult } | { readonly error: unknown }) => McpEvent,
  ): Promise<TResult> {
    const start = now()
    try {
      const result = await work()
      emit(toEvent(elapsed(start), { result }))
      return result
    } catch (error) {
      emit(toEvent(elapsed(start), { error }))
      throw error
    }
  }

  return {
    emit,
    onEvent: log.onEvent,
    status(status) {
      emit({ type: 'mcp.server.state', server, status })
      if (status.state === 'ready') emit({ type: 'mcp.server.started', server, durationMs: elapsed(since) })
      else if ('error' in status && status.state !== 'needs-auth') {
        emit({ type: 'mcp.server.failed', server, durationMs: elapsed(since), error: status.error })
      }
      since = now()
    },
    toolsChanged: diff => emit({ type: 'mcp.tools.changed', server, ...diff }),
    stopped(outcome) {
      if (isStopped) return
      isStopped = true
      emit({ type: 'mcp.server.stopped', server, durationMs: elapsed(since), outcome })
    },
    observe(requests) {
      return {
        ...requests,
        callTool(name, input, options) {
          emit({ type: 'mcp.tool.invoked', server, tool: name })
          return timed(
            () => requests.callTool(name, input, options),
            (durationMs, answer) => {
              const isError = 'result' in answer && answer.result.isError === true
              return { type: 'mcp.tool.completed', server, tool: name, durationMs, isError, ...failureOf(answer) }
            },
          )
        },
        readResource: (uri, options) =>
          timed(
            () => requests.readResource(uri, options),
            (durationMs, answer) => ({ type: 'mcp.resource.read', server, uri, durationMs, ...failureOf(answer) }),
          ),
        getPrompt: (name, values, options) =>
          timed(
            () => requests.getPrompt(name, values, options),
            (durationMs, answer) => {
              return { type: 'mcp.prompt.rendered', server, prompt: name, durationMs, ...failureOf(answer) }
            },
          ),
      }
    },
  }
}

function failureOf(answer: object): Pick<Extract<McpEvent, { uri: string; durationMs: number }>, 'error'> {
  return 'error' in answer ? { error: toErrorInfo(answer.error) } : {}
}
