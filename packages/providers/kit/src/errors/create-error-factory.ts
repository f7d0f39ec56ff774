import { ParleyError, type ErrorInfo } from '@parley/core'
import { classifyError } from './classify-error.ts'
import type { Deadline } from '../deadlines/create-deadline-timer.ts'
import { readErrorBody } from './read-error-body.ts'
import { redact } from './redact.ts'

const LONGEST_DETAIL = 1000

/** Creates the errors of one call. Every detail and request id is free of secrets, and a detail has at most 1000 characters. */
export interface ErrorFactory {
  /**
   * Creates the error for a failure that the server reported in a body. Without `response`, the body was part of a
   * successful stream.
   */
  reported(body: unknown, response?: ReportedResponse): ParleyError
  /** Creates the error for an answer that is incomplete or unreadable. */
  broken(detail: string, requestId?: string): ParleyError
  /** Creates the error for a failure of the connection, as `fetch` or the body threw it. */
  network(error: unknown): ParleyError
  /** Creates the error for a deadline of `ms` milliseconds that expired. */
  timeout(deadline: Deadline, ms: number): ParleyError
}

export interface ReportedResponse {
  readonly status?: number | undefined
  readonly requestId?: string | undefined
  readonly retryAfterMs?: number | undefined
}

export interface ErrorFactoryOptions {
  readonly provider: string
  readonly model: string | undefined
  readonly secrets: readonly string[]
  /** Statuses that mean, without a body, that the conversation is too long. @default [] */
  readonly overflowStatuses?: readonly number[] | undefined
}

export function createErrorFactory({
  provider,
  model,
  secrets,
  overflowStatuses = [],
}: ErrorFactoryOptions): ErrorFactory {
  const fields = (detail: string) => ({
    provider,
    ...(model === undefined ? {} : { model }),
    detail: shorten(redact(detail, secrets)),
  })
  // A proxy can write the request into the id.
  const idField = (requestId: string | undefined) =>
    requestId === undefined ? {} : { requestId: redact(requestId, secrets) }
  return {
    reported(body, { status, requestId, retryAfterMs } = {}) {
      const read = readErrorBody(body)
      const known = status ?? read.status
      const isOverflow = body === '' && known !== undefined && overflowStatuses.includes(known)
      const code = isOverflow ? 'model-context-length' : classifyError({ ...read, status: known })
      const wait = retryAfterMs ?? read.retryAfterMs
      const info = {
        ...fields(read.message),
        ...(known === undefined ? {} : { status: known }),
        ...idField(requestId),
      }
      return new ParleyError(withSpecifics(code, info, wait))
    },
    broken: (detail, requestId) => new ParleyError({ code: 'model-stream', ...fields(detail), ...idField(requestId) }),
    network(error) {
      const words = errorText(error)
      const deadline = transportDeadline(error)
      const info: ErrorInfo =
        deadline === undefined
          ? { code: 'model-network', ...fields(words) }
          : { code: 'model-timeout', ...fields(words), deadline }
      // Loggers print the cause with the error, so a cause that quotes a secret is dropped.
      return new ParleyError(info, redact(words, secrets) === words ? { cause: error } : {})
    },
    timeout: (deadline, ms) => new ParleyError({ code: 'model-timeout', ...fields(''), deadline, ms }),
  }
}

function withSpecifics(
  code: ReturnType<typeof classifyError>,
  info: { provider: string; detail: string },
  retryAfterMs: number | undefined,
): ErrorInfo {
  if (code === 'model-timeout') return { code, ...info, deadline: 'server' }
  const waits = code === 'model-rate-limited' || code === 'model-overloaded' || code === 'model-server'
  return waits && retryAfterMs !== undefined ? { code, ...info, retryAfterMs } : { code, ...info }
}

/** Returns the messages of an error and of its cause. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? error.cause : undefined
  if (cause === undefined) return error.message
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
  return [error.message, code, cause.message].filter(part => part !== '').join(': ')
}

// The `fetch` of Node.js has its own deadlines, which no option of `fetch` changes.
function transportDeadline(error: unknown): 'connect' | 'first-byte' | 'idle' | undefined {
  const cause = error instanceof Error ? error.cause : undefined
  if (!(cause instanceof Error) || !('code' in cause)) return undefined
  if (cause.code === 'UND_ERR_CONNECT_TIMEOUT') return 'connect'
  if (cause.code === 'UND_ERR_HEADERS_TIMEOUT') return 'first-byte'
  return cause.code === 'UND_ERR_BODY_TIMEOUT' ? 'idle' : undefined
}

function shorten(detail: string): string {
  return detail.length <= LONGEST_DETAIL ? detail : `${detail.slice(0, LONGEST_DETAIL)}… (cut)`
}
