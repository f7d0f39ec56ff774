import { ParleyError, toErrorInfo, type ErrorInfo } from '@parley/core'
import { abortable } from '../abortable.ts'
import { createBackoff } from './backoff.ts'
import type { Connection } from './open-connection.ts'
import type { McpStopReport } from '../transport/server-link.ts'
import { createRestartLimit } from './restart-limit.ts'
import { createRetiredConnections } from './retired-connections.ts'

/** Where a server stands. `failed` is not the end: the next call or listing starts it again, `stopped` is. */
export type McpServerStatus =
  | { readonly state: 'connecting' }
  | { readonly state: 'ready' }
  /** A person has to agree. Calls fail until `reauthenticate`, or until the token store has a token. */
  | { readonly state: 'needs-auth'; readonly error: ErrorInfo }
  /** A server behind a URL was lost and is tried again after `retryInMs`, or by the next call. */
  | { readonly state: 'backoff'; readonly error: ErrorInfo; readonly retryInMs: number }
  | { readonly state: 'failed'; readonly error: ErrorInfo }
  | { readonly state: 'stopped' }

/** Keeps one connection to one server: makes it again when it breaks, within limits, until it is closed. */
export interface ServerSupervisor {
  readonly status: McpServerStatus
  /** The connection, if there is one now. */
  readonly current: Connection | undefined
  /** Aborted when the server is closed. */
  readonly closed: AbortSignal
  /**
   * The connection, made if there is none.
   * @throws ParleyError `mcp-server-failed` when it cannot be made, was made too often, or the server is closed;
   * `mcp-auth-required` when a person has to agree first.
   */
  connect(signal?: AbortSignal): Promise<Connection>
  /** Takes note that a connection broke. The next `connect` makes another. */
  markLost(connection: Connection, detail: string): void
  /** Takes note that a person has to agree, and whether one is being asked. */
  setNeedsAuth(error: ErrorInfo | undefined): void
  /** Ends the server for good. Idempotent. */
  close(): Promise<McpStopReport>
}

export interface ServerSupervisorOptions {
  readonly server: string
  /** `process`: restarts are limited; `url`: a lost server is tried again in the background. */
  readonly kind: 'process' | 'url'
  readonly open: (signal: AbortSignal) => Promise<Connection>
  readonly onStatus: (status: McpServerStatus) => void
  /** Milliseconds of a clock that does not go back. */
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

  /** A server that never answered is not waited for: whoever opens it is told. */
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
    if (closed.signal.aborted) throw failure('it is closed')
    if (current !== undefined) return current
    opening ??= start().finally(() => (opening = undefined))
    return await abortable(opening, signal)
  }

  async function close(): Promise<McpStopReport> {
    closed.abort(failure('it was closed while it started'))
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

const LIMIT = `it was restarted ${RESTARTS.max} times within ${RESTARTS.windowMs / 1000} s and is left alone for a while`

function exhausted(status: McpServerStatus): string {
  const last = status.state === 'failed' && 'detail' in status.error ? status.error.detail : undefined
  if (last === undefined || last.startsWith(LIMIT)) return last ?? LIMIT
  return `${LIMIT}. Its last failure: ${last}`
}
