import { ParleyError } from '@parley/core'
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
}

export interface AskServerOptions {
  readonly server: string
  readonly callTimeoutMs: number
  readonly supervisor: ServerSupervisor
}

/** Asks over whichever connection there is, and makes one if there is none. */
export type AskServer = <TResult>(question: Question<TResult>) => Promise<TResult>

/** @returns A function that rejects with a ParleyError, `mcp-server-failed` before and `mcp-request-failed` after sending. */
export function createAskServer({ server, callTimeoutMs, supervisor }: AskServerOptions): AskServer {
  return async ({ method, send, timeoutMs = callTimeoutMs, signal }) => {
    const connection = await supervisor.connect(signal)
    signal?.throwIfAborted()
    try {
      return await send(connection.client, { timeout: timeoutMs, ...(signal === undefined ? {} : { signal }) })
    } catch (error) {
      signal?.throwIfAborted()
      throw toParleyError(error, { server, method, timeoutMs, connection, supervisor })
    }
  }
}

interface FailedQuestion {
  readonly server: string
  readonly method: string
  readonly timeoutMs: number
  readonly connection: Connection
  readonly supervisor: ServerSupervisor
}

function toParleyError(
  error: unknown,
  { connection, supervisor, timeoutMs, ...question }: FailedQuestion,
): ParleyError {
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
