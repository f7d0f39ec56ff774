import type { ErrorCode } from '@parley/core'
import { isContextLengthText } from './is-context-length-text.ts'
import type { ErrorBody } from './read-error-body.ts'

/** The codes that a failed model call can have. */
export type ModelErrorCode = Extract<ErrorCode, `model-${string}`>
type ServerErrorCode = Exclude<ModelErrorCode, 'model-unknown' | 'model-stream' | 'model-network' | 'model-unsupported'>

const BY_NAME: readonly (readonly [pattern: RegExp, code: ServerErrorCode])[] = [
  [/content_filter|content_policy/, 'model-content-filter'],
  [/authentication|invalid_api_key|api_key_invalid|unauthenticated|unauthorized/, 'model-auth'],
  [/permission|forbidden|access_?denied/, 'model-permission'],
  [/not_?found/, 'model-not-found'],
  [/overloaded|unavailable/, 'model-overloaded'],
  [/rate_?limit|throttl|resource_exhausted|too_many_requests/, 'model-rate-limited'],
  [/timeout|deadline_exceeded/, 'model-timeout'],
  [/invalid|validation|bad_?request|too_large|tool_use_failed|unsupported/, 'model-invalid-request'],
]

const BY_STATUS: Readonly<Record<number, ServerErrorCode>> = {
  401: 'model-auth',
  402: 'model-quota',
  403: 'model-permission',
  404: 'model-not-found',
  408: 'model-timeout',
  429: 'model-rate-limited',
  503: 'model-overloaded',
  504: 'model-timeout',
  529: 'model-overloaded',
}

/**
 * Returns the code for a failure that the server reported. A name in the body takes precedence over the status if it is
 * more specific. An error inside a successful stream has no status: there the names alone decide, and the default is
 * `model-server`.
 */
export function classifyError({ message, type = '', code = '', status }: ErrorBody): ServerErrorCode {
  const names = `${type} ${code}`.toLowerCase()
  if (/insufficient_quota|billing/.test(names)) return 'model-quota'
  if (isContextLengthText(`${message} ${names}`) && status !== 401 && status !== 429) return 'model-context-length'
  const named = BY_NAME.find(([pattern]) => pattern.test(names))?.[1]
  if (status === undefined) return named ?? 'model-server'
  if (status === 400 || status === 422) return codeOfBadRequest(named, message)
  if (status < 500 && named === 'model-content-filter') return named
  // Some servers report an overload with status 500 and name it only in the body.
  if (status === 500 && named === 'model-overloaded') return named
  return BY_STATUS[status] ?? (status >= 500 ? 'model-server' : 'model-invalid-request')
}

function codeOfBadRequest(named: ServerErrorCode | undefined, message: string): ServerErrorCode {
  // xAI and Gemini answer an invalid key with status 400.
  if (named === 'model-auth' || /(incorrect|invalid) api key|api key not valid/i.test(message)) return 'model-auth'
  if (named === 'model-content-filter' || named === 'model-not-found') return named
  return 'model-invalid-request'
}
