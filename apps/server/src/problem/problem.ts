import { toAgentError, toHttpStatus } from '@parley/agent-api'
import { ParleyError } from '@parley/core'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

export interface ProblemOptions {
  /** Text for the client. It contains no path, address or internal detail. */
  readonly message: string
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** An HTTP error. Routes throw it, and the error handler of `createServerApp` writes the response. */
export class Problem extends Error {
  readonly status: ContentfulStatusCode
  readonly code: string
  readonly headers: Readonly<Record<string, string>>

  constructor(status: ContentfulStatusCode, code: string, { message, headers = {} }: ProblemOptions) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

/**
 * Creates the error 404. Missing resources and resources of another scope get the same answer, so that ids cannot be
 * probed.
 */
export function notFound(what: string): Problem {
  return new Problem(404, 'RESOURCE_NOT_FOUND', { message: `Unknown ${what}.` })
}

/** Creates the error 400 for an invalid field, query parameter or body. */
export function invalidParameter(message: string): Problem {
  return new Problem(400, 'INVALID_PARAMETER', { message })
}

/** Header that the clients of OpenAI obey. */
export const SHOULD_RETRY = 'x-should-retry'

/**
 * Status of a failure after a run has begun. A retry would repeat the run. The OpenAI SDKs and the AI SDK retry 408, 409, 429
 * and 5xx, and LangChain also retries 422 and 424, so the exact status would do harm.
 */
export const NOT_RETRIED = 400

/** Keeps clients from sending a request again whose run has begun. */
export function withoutRetry({ status, code, message, headers }: Problem): Problem {
  const isRetried = status >= 500 || [408, 409, 429].includes(status)
  return new Problem(isRetried ? NOT_RETRIED : status, code, {
    message,
    headers: { ...headers, [SHOULD_RETRY]: 'false' },
  })
}

/** Converts an error that a route threw. The client learns no detail of an unexpected error. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof HTTPException && error.status < 500)
    return new Problem(error.status, 'BAD_REQUEST', { message: 'The request is malformed.' })
  const info = ParleyError.is(error) ? error.info : ({ code: 'internal', detail: '' } as const)
  const { code, message } = toAgentError(info)
  return new Problem(toHttpStatus(info) as ContentfulStatusCode, code, { message })
}
