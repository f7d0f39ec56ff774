import type { GuardedRequestOptions, GuardedResponse } from './guarded-request-options.ts'
import { failUrl, refuseUrl } from './refuse-url.ts'
import { isRedirect, sendRequest } from './send-request.ts'

export interface FollowOptions extends GuardedRequestOptions {
  /** Aborting it aborts the request. */
  readonly stop: AbortSignal
  /** Called with each URL before it is requested. */
  readonly onUrl: (url: URL) => void
}

/** Sends a request, and another one for each redirect. The guard checks each URL. */
export async function followRedirects(first: URL, options: FollowOptions): Promise<GuardedResponse> {
  const { guard, maxRedirects = 5, method = 'GET', redirect, onUrl } = options
  let url = first
  let headers = options.headers ?? {}
  for (let redirects = 0; ; redirects++) {
    onUrl(url)
    const response = await sendRequest(url, { ...options, headers })
    const location = response.headers['location']
    if (redirect === 'manual' || !isRedirect(response.status) || location === undefined) return response
    if (method !== 'GET')
      throw failUrl(url, { detail: `it redirects a ${method} request, which is not followed.`, retryable: false })
    if (redirects === maxRedirects)
      throw failUrl(url, { detail: `it redirected more than ${maxRedirects} times.`, retryable: false })
    if (!URL.canParse(location, url.href)) refuseUrl(url, 'invalid', 'it redirects to an invalid URL.')
    const next = guard.check(new URL(location, url.href))
    if (next.origin !== url.origin) headers = publicHeaders(headers)
    url = next
  }
}

/** The headers that another origin may see. */
function publicHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const kept = new Set(['accept', 'user-agent'])
  return Object.fromEntries(Object.entries(headers).filter(([name]) => kept.has(name.toLowerCase())))
}
