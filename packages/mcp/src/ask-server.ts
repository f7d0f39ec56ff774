import { ParleyError } from '@parley/core'
import { findAuthorizationNeed, type AuthorizationNeeded } from './authorization-needed.ts'
import type { Connection } from './connection.ts'
import type { McpRequestOptions } from './mcp-server.ts'
import { toRequestFailure } from './request-failure.ts'
import type { ServerSupervisor } from './server-supervisor.ts'

/** What the SDK is told with each request. */
interface WireOptions {
  readonly timeout: number
  readonly signal?: AbortSignal
}

interface Question<TResult> extends McpRequestOptions {
  readonly method: string
  readonly send: (client: Connection['client'], wire: WireOptions) => Promise<TResult>
  /** Whether it may be asked twice. @default false */
  readonly idempotent?: boolean | undefined
}

export interface AskServerOptions {
  readonly server: string
  readonly callTimeoutMs: number
  readonly supervisor: ServerSupervisor
  /** @throws ParleyError `mcp-auth-required` */
  readonly authorize: (needed: AuthorizationNeeded, signal: AbortSignal | undefined) => Promise<void>
}

/** Asks over whichever connection there is, and makes one if there is none. */
export type AskServer = <TResult>(question: Question<TResult>) => Promise<TResult>

// With the one of the first connection, three: a server that always wants more must not keep a person busy.
const MAX_QUESTIONS = 2

/**
 * @returns A function that rejects with a ParleyError, `mcp-server-failed` or `mcp-auth-required` before and
 * `mcp-request-failed` after sending. What may be asked twice is asked once more when a server behind a URL is lost.
 */
export function createAskServer({ server, callTimeoutMs, supervisor, authorize }: AskServerOptions): AskServer {
  return async ({ method, send, idempotent = false, timeoutMs = callTimeoutMs, signal }) => {
    const wire = { timeout: timeoutMs, ...(signal === undefined ? {} : { signal }) }
    let questions = 0
    for (let replayed = false; ;) {
      const connection = await supervisor.connect(signal)
      signal?.throwIfAborted()
      try {
        return await track(connection, send(connection.client, wire))
      } catch (error) {
        signal?.throwIfAborted()
        const needed = findAuthorizationNeed(error)
        if (needed !== undefined) {
          // It was refused before it had an effect, so that it may be sent again.
          if (questions === MAX_QUESTIONS) {
            throw new ParleyError({ code: 'mcp-auth-required', server, detail: needed.message }, { cause: error })
          }
          questions += 1
          await authorize(needed, signal)
          continue
        }
        const failure = toParleyError(error, { server, method, timeoutMs, connection, supervisor })
        if (replayed || !idempotent || failure.info.reason !== 'lost' || connection.link.pid !== undefined)
          throw failure
        replayed = true
      }
    }
  }
}

async function track<TResult>({ pending }: Connection, work: Promise<TResult>): Promise<TResult> {
  pending.add(work)
  try {
    return await work
  } finally {
    pending.delete(work)
  }
}

interface FailedQuestion {
  readonly server: string
  readonly method: string
  readonly timeoutMs: number
  readonly connection: Connection
  readonly supervisor: ServerSupervisor
}

type RequestError = ParleyError<Extract<ParleyError['info'], { code: 'mcp-request-failed' }>>

function toParleyError(
  error: unknown,
  { connection, supervisor, timeoutMs, ...question }: FailedQuestion,
): RequestError {
  const failure = toRequestFailure(error)
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
      supervisor.lose(connection, why)
      return new ParleyError({ ...fields, reason: 'lost', detail: `the server was lost: ${why}` }, { cause: error })
    }
    case 'other':
      return new ParleyError({ ...fields, reason: 'invalid', detail: failure.detail }, { cause: error })
  }
}
