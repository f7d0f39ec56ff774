import { checkOptions, ParleyError, type OptionKinds } from '@parley/core'
import { followRedirects } from './follow-redirects.ts'
import type { GuardedRequestOptions, GuardedResponse } from './guarded-request-options.ts'
import { failUrl } from './refuse-url.ts'

const OPTIONS: OptionKinds<GuardedRequestOptions> = {
  guard: 'object!',
  method: 'string',
  headers: 'object',
  body: 'string or object',
  maxBytes: 'number',
  timeoutMs: 'number',
  redirect: ['follow', 'manual'],
  maxRedirects: 'number',
  accepts: 'function',
  signal: 'signal',
}

/**
 * Sends a request to an address that the guard allows. The guard checks the address of every redirect too, and the connection
 * uses exactly the checked addresses. So neither a redirect nor DNS rebinding (a name whose address changes after the check)
 * can reach a private address. The request ignores the proxy settings in environment variables.
 * @throws ParleyError `url-refused` or `url-failed`.
 */
export async function guardedRequest(given: string | URL, options: GuardedRequestOptions): Promise<GuardedResponse> {
  checkOptions('guardedRequest', options, OPTIONS)
  const { guard, timeoutMs = 30_000, signal } = options
  const timeout = AbortSignal.timeout(timeoutMs)
  const stop = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
  let url = guard.check(given)
  try {
    return await followRedirects(url, { ...options, stop, onUrl: next => void (url = next) })
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason
    if (timeout.aborted)
      throw failUrl(url, { detail: `it was stopped after ${timeoutMs} ms. Try another source.`, retryable: true })
    if (ParleyError.is(error)) throw error
    throw failUrl(url, { detail: `${describe(error)}. Try again later, or another source.`, retryable: true })
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection failed'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const known: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'nothing answers at that address',
    ECONNRESET: 'the server closed the connection',
    EHOSTUNREACH: 'the network has no way to that address',
    ENETUNREACH: 'the network has no way to that address',
    ETIMEDOUT: 'the server did not answer',
    HPE_HEADER_OVERFLOW: 'its headers are larger than 64 KB',
  }
  if (known[code] !== undefined) return known[code]
  if (/^(?:CERT|ERR_TLS|ERR_SSL|DEPTH|SELF_SIGNED|UNABLE_TO)/.test(code))
    return `its certificate is not valid (${code})`
  return code === '' ? 'the connection failed' : `the connection failed (${code})`
}
