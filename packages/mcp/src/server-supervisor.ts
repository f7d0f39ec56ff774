import { ParleyError, toErrorInfo } from '@parley/core'
import { abortable } from './abortable.ts'
import type { Connection } from './connection.ts'
import type { McpServerStatus } from './mcp-server-status.ts'
import type { McpStopReport } from './mcp-stop-report.ts'
import { createRestartLimit } from './restart-limit.ts'

/** Keeps one connection to one server: makes it again after a crash, within limits, until it is closed. */
export interface ServerSupervisor {
  readonly status: McpServerStatus
  /** The connection, if there is one now. */
  readonly current: Connection | undefined
  /**
   * The connection, made if there is none.
   * @throws ParleyError `mcp-server-failed` when it cannot be made, was made too often, or the server is closed.
   */
  connect(signal?: AbortSignal): Promise<Connection>
  /** Takes note that a connection broke. The next `connect` makes another. */
  lose(connection: Connection, detail: string): void
  /** Ends the server for good. Idempotent. */
  close(): Promise<McpStopReport>
}

export interface ServerSupervisorOptions {
  readonly server: string
  readonly open: (signal: AbortSignal) => Promise<Connection>
  readonly onStatus: (status: McpServerStatus) => void
  /** Milliseconds of a clock that does not go back. */
  readonly now: () => number
}

const MAX_RESTARTS = 3
const RESTART_WINDOW_MS = 60_000

export function createServerSupervisor({ server, open, onStatus, now }: ServerSupervisorOptions): ServerSupervisor {
  let status: McpServerStatus = { state: 'connecting' }
  let current: Connection | undefined
  let opening: Promise<Connection> | undefined
  let closing: Promise<McpStopReport> | undefined
  let started = false
  const restarts = createRestartLimit({ max: MAX_RESTARTS, windowMs: RESTART_WINDOW_MS, now })
  const closed = new AbortController()

  const failure = (detail: string): ParleyError => new ParleyError({ code: 'mcp-server-failed', server, detail })

  function enter(next: McpServerStatus): void {
    status = next
    onStatus(next)
  }

  async function start(): Promise<Connection> {
    try {
      if (started && !restarts.take()) throw failure(exhausted(status))
      started = true
      enter({ state: 'connecting' })
      const connection = await open(closed.signal)
      if (closed.signal.aborted) {
        await connection.link.stop()
        throw failure('it was closed while it started')
      }
      current = connection
      enter({ state: 'ready' })
      return connection
    } catch (error) {
      if (!closed.signal.aborted) enter({ state: 'failed', error: toErrorInfo(error) })
      throw error
    }
  }

  async function close(): Promise<McpStopReport> {
    closed.abort(failure('it was closed while it started'))
    const connection = current
    current = undefined
    await opening?.catch(() => {})
    const report: McpStopReport = (await connection?.link.stop()) ?? { outcome: 'not-running' }
    enter({ state: 'stopped' })
    return report
  }

  return {
    get status() {
      return status
    },
    get current() {
      return current
    },
    async connect(signal) {
      signal?.throwIfAborted()
      if (closed.signal.aborted) throw failure('it is closed')
      if (current !== undefined) return current
      opening ??= start().finally(() => (opening = undefined))
      return await abortable(opening, signal)
    },
    lose(connection, detail) {
      if (current !== connection) return
      current = undefined
      enter({ state: 'failed', error: failure(detail).info })
      void connection.link.stop()
    },
    close() {
      return (closing ??= close())
    },
  }
}

const LIMIT = `it was restarted ${MAX_RESTARTS} times within ${RESTART_WINDOW_MS / 1000} s and is left alone for a while`

function exhausted(status: McpServerStatus): string {
  const last = status.state === 'failed' && 'detail' in status.error ? status.error.detail : undefined
  if (last === undefined || last.startsWith(LIMIT)) return last ?? LIMIT
  return `${LIMIT}. Its last failure: ${last}`
}
