import { ParleyError, type ErrorInfo } from '@parley/core'
import { classifyError } from './classify-error.ts'
import type { Deadline } from '../deadlines/create-deadline-timer.ts'
import { readErrorBody } from './read-error-body.ts'
import { redact } from './redact.ts'

const LONGEST_DETAIL = 1000

/** Makes the errors of one call. No detail that leaves here holds a secret or is longer than 1000 characters. */
export interface ErrorFactory {
  /** A failure the server reported, with the response's status and headers when it has some. */
  reported(body: unknown, response?: ReportedResponse): ParleyError
  broken(detail: string, requestId?: string): ParleyError
  network(error: unknown): ParleyError
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
  /** Statuses that mean, without a body, that the conversation is too long. @default none */
  readonly wordlessOverflow?: readonly number[] | undefined
}

export function createErrorFactory({
  provider,
  model,
  secrets,
  wordlessOverflow = [],
}: ErrorFactoryOptions): ErrorFactory {
  const fields = (detail: string) => ({
    provider,
    ...(model === undefined ? {} : { model }),
    detail: shorten(redact(detail, secrets)),
  })
  return {
    reported(body, { status, requestId, retryAfterMs } = {}) {
      const read = readErrorBody(body)
      const known = status ?? read.status
      const isOverflow = body === '' && known !== undefined && wordlessOverflow.includes(known)
      const code = isOverflow ? 'model-context-length' : classifyError({ ...read, status: known })
      const wait = retryAfterMs ?? read.retryAfterMs
      const info = {
        ...fields(read.message),
        ...(known === undefined ? {} : { status: known }),
        ...(requestId === undefined ? {} : { requestId }),
      }
      return new ParleyError(withSpecifics(code, info, wait))
    },
    broken: (detail, requestId) =>
      new ParleyError({ code: 'model-stream', ...fields(detail), ...(requestId === undefined ? {} : { requestId }) }),
    network(error) {
      const words = wordsOf(error)
      const deadline = transportDeadline(error)
      const info: ErrorInfo =
        deadline === undefined
          ? { code: 'model-network', ...fields(words) }
          : { code: 'model-timeout', ...fields(words), deadline }
      // A cause that quotes a secret would be printed with the error.
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

/** The words of an error and of what caused it. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? error.cause : undefined
  if (cause === undefined) return error.message
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
  return [error.message, code, cause.message].filter(part => part !== '').join(': ')
}

// Node's fetch has deadlines of its own, which no option of fetch can move.
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
