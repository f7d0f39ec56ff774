import { ParleyError, untilAborted } from '@parley/core'
import { findAuthorizationRequired, type AuthorizationRequired } from '../auth/authorization-required.ts'
import type { Connection } from '../connection/open-connection.ts'
import type { Elicitor } from '../features/elicitor.ts'
import type { McpRequestOptions } from '../tools/mcp-tool-host.ts'
import { requestMeta, type McpTraceContext, type RequestMeta } from './request-meta.ts'
import { asCause, toRequestFailure, type RequestFailure } from '../connection/request-failure.ts'
import type { ServerSupervisor } from '../connection/server-supervisor.ts'

/** Options that the SDK takes with each request. */
interface WireOptions {
  readonly timeout: number
  readonly signal?: AbortSignal
}

interface ServerRequest<TResult> extends McpRequestOptions {
  readonly method: string
  readonly send: (client: Connection['client'], wire: WireOptions, meta: RequestMeta) => Promise<TResult>
  /** Whether the request may be sent again after the connection was lost. @default false */
  readonly idempotent?: boolean | undefined
  /**
   * Whether the timeout applies to all requests of `send` together, for example to all pages of a list.
   * @default false: to each request
   */
  readonly timedAsWhole?: boolean | undefined
}

export interface SendRequestOptions {
  readonly server: string
  readonly callTimeoutMs: number
  readonly supervisor: ServerSupervisor
  /** Asks the user for authorization. @throws ParleyError `mcp-auth-required` if the user refuses or cannot be asked. */
  readonly authorize: (needed: AuthorizationRequired, signal: AbortSignal | undefined) => Promise<void>
  readonly elicitor: Elicitor | undefined
  readonly traceContext?: (() => McpTraceContext | undefined) | undefined
}

/** Sends a request over the current connection. Connects first if necessary. */
export type SendRequest = <TResult>(request: ServerRequest<TResult>) => Promise<TResult>

// A server that always wants more scopes must not ask the user without end. Connecting may have asked once before.
const MAX_AUTHORIZATIONS = 2

/**
 * Creates the function that sends requests. It rejects with a ParleyError: `mcp-server-failed` or `mcp-auth-required` before
 * the request is sent, `mcp-request-failed` afterward. It sends an idempotent request once more if the connection to a
 * server behind a URL was lost.
 */
export function createSendRequest({ callTimeoutMs, ...options }: SendRequestOptions): SendRequest {
  const { server, supervisor } = options
  return async ({ method, send, idempotent = false, timedAsWhole = false, timeoutMs = callTimeoutMs, signal }) => {
    const meta = requestMeta(options.traceContext)
    const resolveRefusal = createRefusalResolver(options, { method, signal })
    for (let replayed = false; ;) {
      const connection = await supervisor.connect(signal)
      signal?.throwIfAborted()
      const limit = timedAsWhole ? AbortSignal.timeout(timeoutMs) : undefined
      try {
        const pending = send(connection.client, { timeout: timeoutMs, ...anyOf(signal, limit) }, meta)
        return await untilAborted(track(connection, pending), limit)
      } catch (error) {
        signal?.throwIfAborted()
        if (await resolveRefusal(error)) continue
        const kind =
          limit?.aborted === true ? { kind: 'timeout' as const } : toRequestFailure(error, connection.link.redact)
        const failure = toParleyError(kind, error, { server, method, timeoutMs, connection, supervisor })
        if (replayed || !idempotent || failure.info.reason !== 'lost' || connection.link.pid !== undefined)
          throw failure
        replayed = true
      }
    }
  }
}

/**
 * Creates the function that asks the user for what a refused request requires: authorization, or a visit to a page. The
 * server refused the request before it had an effect, so the client may send it again.
 * @returns A function that resolves to whether to send the request again.
 */
function createRefusalResolver(
  { server, authorize, elicitor, supervisor }: Omit<SendRequestOptions, 'callTimeoutMs' | 'traceContext'>,
  { method, signal }: { readonly method: string; readonly signal: AbortSignal | undefined },
): (error: unknown) => Promise<boolean> {
  let authorizations = 0
  let visited = false
  return async error => {
    const needed = findAuthorizationRequired(error)
    if (needed !== undefined) {
      if (authorizations === MAX_AUTHORIZATIONS) {
        throw new ParleyError({ code: 'mcp-auth-required', server, detail: needed.message }, { cause: error })
      }
      authorizations += 1
      await authorize(needed, signal)
      return true
    }
    if (elicitor === undefined || visited) return false
    const joined = signal === undefined ? supervisor.closed : AbortSignal.any([signal, supervisor.closed])
    const refuse = (detail: string, cause: unknown): ParleyError =>
      new ParleyError({ code: 'mcp-request-failed', server, method, reason: 'refused', detail }, { cause })
    const visit = await elicitor.visitPages(error, joined).catch((cause: unknown) => {
      signal?.throwIfAborted()
      throw refuse(cause instanceof Error ? cause.message : String(cause), cause)
    })
    if (visit === false) throw refuse('the user did not visit the page that the server requires first', error)
    return (visited = visit === true)
  }
}

/** Combines the signals into the SDK's `signal` option. */
function anyOf(...signals: readonly (AbortSignal | undefined)[]): { readonly signal?: AbortSignal } {
  const [first, ...rest] = signals.filter(signal => signal !== undefined)
  if (first === undefined) return {}
  return { signal: rest.length === 0 ? first : AbortSignal.any([first, ...rest]) }
}

async function track<TResult>({ pending }: Connection, work: Promise<TResult>): Promise<TResult> {
  pending.add(work)
  try {
    return await work
  } finally {
    pending.delete(work)
  }
}

interface FailedRequest {
  readonly server: string
  readonly method: string
  readonly timeoutMs: number
  readonly connection: Connection
  readonly supervisor: ServerSupervisor
}

type RequestError = ParleyError<Extract<ParleyError['info'], { code: 'mcp-request-failed' }>>

function toParleyError(
  failure: RequestFailure,
  error: unknown,
  { connection, supervisor, timeoutMs, ...request }: FailedRequest,
): RequestError {
  const fields = { code: 'mcp-request-failed', ...request } as const
  const cause = asCause(error, connection.link.redact)
  switch (failure.kind) {
    case 'timeout': {
      const detail = `it did not answer within ${timeoutMs} ms`
      return new ParleyError({ ...fields, reason: 'timeout', detail, timeoutMs }, cause)
    }
    case 'refused': {
      const { rpcCode } = failure
      const detail = `${failure.detail} (JSON-RPC error ${rpcCode})`
      return new ParleyError({ ...fields, reason: 'refused', detail, rpcCode }, cause)
    }
    case 'lost': {
      const { pid, describe } = connection.link
      const why = pid === undefined ? `${describe()} ${failure.detail}` : describe()
      supervisor.markLost(connection, why)
      return new ParleyError({ ...fields, reason: 'lost', detail: `the server was lost: ${why}` }, cause)
    }
    case 'other':
      return new ParleyError({ ...fields, reason: 'invalid', detail: failure.detail }, cause)
  }
}
