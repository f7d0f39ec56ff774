import { ParleyError } from '@parley/core'
import { abortable } from '../abortable.ts'
import { findAuthorizationRequired, type AuthorizationRequired } from '../auth/authorization-required.ts'
import type { Connection } from '../connection/open-connection.ts'
import type { Elicitor } from '../features/elicitor.ts'
import type { McpRequestOptions } from '../tools/mcp-tool-host.ts'
import { requestMeta, type McpTraceContext, type RequestMeta } from './request-meta.ts'
import { toRequestFailure, type RequestFailure } from '../connection/request-failure.ts'
import type { ServerSupervisor } from '../connection/server-supervisor.ts'

/** What the SDK is told with each request. */
interface WireOptions {
  readonly timeout: number
  readonly signal?: AbortSignal
}

interface Question<TResult> extends McpRequestOptions {
  readonly method: string
  readonly send: (client: Connection['client'], wire: WireOptions, meta: RequestMeta) => Promise<TResult>
  /** Whether it may be asked twice. @default false */
  readonly idempotent?: boolean | undefined
  /** Whether the time is for all that `send` does, several requests or one without an answer. @default for each request */
  readonly timedAsWhole?: boolean | undefined
}

export interface SendRequestOptions {
  readonly server: string
  readonly callTimeoutMs: number
  readonly supervisor: ServerSupervisor
  /** @throws ParleyError `mcp-auth-required` */
  readonly authorize: (needed: AuthorizationRequired, signal: AbortSignal | undefined) => Promise<void>
  readonly elicitor: Elicitor | undefined
  readonly traceContext?: (() => McpTraceContext | undefined) | undefined
}

/** Asks over whichever connection there is, and makes one if there is none. */
export type SendRequest = <TResult>(question: Question<TResult>) => Promise<TResult>

// With the one of the first connection, three: a server that always wants more must not keep a person busy.
const MAX_QUESTIONS = 2

/**
 * @returns A function that rejects with a ParleyError, `mcp-server-failed` or `mcp-auth-required` before and
 * `mcp-request-failed` after sending. What may be asked twice is asked once more when a server behind a URL is lost.
 */
export function createSendRequest({ callTimeoutMs, ...options }: SendRequestOptions): SendRequest {
  const { server, supervisor } = options
  return async ({ method, send, idempotent = false, timedAsWhole = false, timeoutMs = callTimeoutMs, signal }) => {
    const meta = requestMeta(options.traceContext)
    const persuade = createPersuasion(options, { method, signal })
    for (let replayed = false; ;) {
      const connection = await supervisor.connect(signal)
      signal?.throwIfAborted()
      const limit = timedAsWhole ? AbortSignal.timeout(timeoutMs) : undefined
      try {
        const asking = send(connection.client, { timeout: timeoutMs, ...anyOf(signal, limit) }, meta)
        return await abortable(track(connection, asking), limit)
      } catch (error) {
        signal?.throwIfAborted()
        if (await persuade(error)) continue
        const kind = limit?.aborted === true ? { kind: 'timeout' as const } : toRequestFailure(error)
        const failure = toParleyError(kind, error, { server, method, timeoutMs, connection, supervisor })
        if (replayed || !idempotent || failure.info.reason !== 'lost' || connection.link.pid !== undefined)
          throw failure
        replayed = true
      }
    }
  }
}

/**
 * Asks a person for what a request was refused for. It was refused before it had an effect, so that it may be sent again.
 * @returns A function that tells whether it may.
 */
function createPersuasion(
  { server, authorize, elicitor, supervisor }: Omit<SendRequestOptions, 'callTimeoutMs' | 'traceContext'>,
  { method, signal }: { readonly method: string; readonly signal: AbortSignal | undefined },
): (error: unknown) => Promise<boolean> {
  let questions = 0
  let visited = false
  return async error => {
    const needed = findAuthorizationRequired(error)
    if (needed !== undefined) {
      if (questions === MAX_QUESTIONS) {
        throw new ParleyError({ code: 'mcp-auth-required', server, detail: needed.message }, { cause: error })
      }
      questions += 1
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
    if (visit === false) throw refuse('the user did not visit the page it wants to be visited first', error)
    return (visited = visit === true)
  }
}

/** What the SDK takes for its `signal`. */
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
  { connection, supervisor, timeoutMs, ...question }: FailedRequest,
): RequestError {
  const fields = { code: 'mcp-request-failed', ...question } as const
  switch (failure.kind) {
    case 'timeout': {
      const detail = `it did not answer within ${timeoutMs} ms`
      return new ParleyError({ ...fields, reason: 'timeout', detail, timeoutMs }, { cause: error })
    }
    case 'refused': {
      const { rpcCode } = failure
      const detail = `${failure.detail} (JSON-RPC error ${rpcCode})`
      return new ParleyError({ ...fields, reason: 'refused', detail, rpcCode }, { cause: error })
    }
    case 'lost': {
      const { pid, describe } = connection.link
      const why = pid === undefined ? `${describe()} ${failure.detail}` : describe()
      supervisor.markLost(connection, why)
      return new ParleyError({ ...fields, reason: 'lost', detail: `the server was lost: ${why}` }, { cause: error })
    }
    case 'other':
      return new ParleyError({ ...fields, reason: 'invalid', detail: failure.detail }, { cause: error })
  }
}
