import { ParleyError, toErrorInfo, type ErrorInfo, type McpServerStatus, untilAborted } from '@parley/core'
import { createBackoff } from './backoff.ts'
import type { Connection } from './open-connection.ts'
import type { McpStopReport } from '../transport/server-link.ts'
import { createRestartLimit } from './restart-limit.ts'
import { createRetiredConnections } from './retired-connections.ts'

/** Keeps one connection to one server. Reconnects within limits after it broke, until the server is closed. */
export interface ServerSupervisor {
  readonly status: McpServerStatus
  /** The open connection, if any. */
  readonly current: Connection | undefined
  /** Aborted when the server is closed. */
  readonly closed: AbortSignal
  /**
   * Returns the open connection. Connects first if necessary.
   * @throws ParleyError `mcp-server-failed` if connecting fails, the restart limit is reached or the server is closed;
   * `mcp-auth-required` if the user must agree first.
   */
  connect(signal?: AbortSignal): Promise<Connection>
  /** Records that a connection broke. The next `connect` opens a new one. */
  markLost(connection: Connection, detail: string): void
  /**
   * With an error, sets the status `needs-auth` until the user has agreed. With `undefined`, sets the normal status
   * again.
   */
  setNeedsAuth(error: ErrorInfo | undefined): void
  /** Stops the server for good. Idempotent. */
  close(): Promise<McpStopReport>
}

export interface ServerSupervisorOptions {
  readonly server: string
  /**
   * Kind of the server. `process`: the number of restarts is limited. `url`: the client reconnects in the background
   * after the connection was lost.
   */
  readonly kind: 'process' | 'url'
  readonly open: (signal: AbortSignal) => Promise<Connection>
  readonly onStatus: (status: McpServerStatus) => void
  /** Returns the milliseconds of a monotonic clock. */
  readonly now: () => number
}

const RESTARTS = { max: 3, windowMs: 60_000 } as const

export function createServerSupervisor(options: ServerSupervisorOptions): ServerSupervisor {
  const { server, kind, open, onStatus, now } = options
  let status: McpServerStatus = { state: 'connecting' }
  let current: Connection | undefined
  let opening: Promise<Connection> | undefined
  let closing: Promise<McpStopReport> | undefined
  let started = false
  const retired = createRetiredConnections(kind)
  const restarts = createRestartLimit({ ...RESTARTS, now })
  const backoff = createBackoff({ retry: () => void connect().catch(() => {}) })
  const closed = new AbortController()

  const failure = (detail: string): ParleyError => new ParleyError({ code: 'mcp-server-failed', server, detail })

  const enter = (next: McpServerStatus): void => onStatus((status = next))

  /** Records a failure, and schedules a retry if the server was ready before. */
  const fail = (error: ErrorInfo, wasReady: boolean): void =>
    enter(toFailure(error, () => (kind === 'url' && wasReady ? backoff.schedule() : undefined)))

  async function start(): Promise<Connection> {
    const again = started
    try {
      if (again && kind === 'process' && !restarts.take()) throw failure(exhausted(status))
      started = true
      backoff.pause()
      enter({ state: 'connecting' })
      current = await openUnlessAborted(open, closed.signal)
      backoff.reset()
      enter({ state: 'ready' })
      return current
    } catch (error) {
      if (!closed.signal.aborted) fail(toErrorInfo(error), again)
      throw error
    }
  }

  async function connect(signal?: AbortSignal): Promise<Connection> {
    signal?.throwIfAborted()
    if (closed.signal.aborted) throw failure('the server is closed')
    if (current !== undefined) return current
    opening ??= start().finally(() => (opening = undefined))
    return await untilAborted(opening, signal)
  }

  async function close(): Promise<McpStopReport> {
    closed.abort(failure('the server was closed while it started'))
    backoff.pause()
    const connection = current
    current = undefined
    await opening?.catch(() => {})
    const report = await retired.stopAll(connection)
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
    closed: closed.signal,
    connect,
    markLost(connection, detail) {
      if (current !== connection) return
      current = undefined
      fail(failure(detail).info, true)
      retired.add(connection)
    },
    setNeedsAuth(error) {
      if (closed.signal.aborted) return
      const state = current === undefined ? 'connecting' : 'ready'
      enter(error === undefined ? { state } : { state: 'needs-auth', error })
    },
    close: () => (closing ??= close()),
  }
}

async function openUnlessAborted(open: ServerSupervisorOptions['open'], signal: AbortSignal): Promise<Connection> {
  const connection = await open(signal)
  if (!signal.aborted) return connection
  await connection.link.stop()
  throw signal.reason
}

function toFailure(error: ErrorInfo, schedule: () => number | undefined): McpServerStatus {
  if (error.code === 'mcp-auth-required') return { state: 'needs-auth', error }
  const retryInMs = schedule()
  return retryInMs === undefined ? { state: 'failed', error } : { state: 'backoff', error, retryInMs }
}

const LIMIT = `it was restarted ${RESTARTS.max} times within ${RESTARTS.windowMs / 1000} s, so it is not restarted for a while`

function exhausted(status: McpServerStatus): string {
  const last = status.state === 'failed' && 'detail' in status.error ? status.error.detail : undefined
  if (last === undefined || last.startsWith(LIMIT)) return last ?? LIMIT
  return `${LIMIT}. Its last failure: ${last}`
}
