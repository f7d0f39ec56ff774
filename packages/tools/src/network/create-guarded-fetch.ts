import { guardedRequest } from './guarded-request.ts'
import type { NetworkGuard } from './network-guard.ts'
import { failUrl } from './refuse-url.ts'

export interface GuardedFetchOptions {
  readonly guard: NetworkGuard
  /** Most bytes of a body, after decompression; a longer one is a failure. @default 5_000_000 */
  readonly maxBytes?: number | undefined
  /** Milliseconds for one call, redirects and body too. @default 30_000 */
  readonly timeoutMs?: number | undefined
}

/** Statuses whose responses have no body. */
const BODILESS = new Set([204, 205, 304])

/**
 * A `fetch` that goes only where the guard lets it, for whatever takes a `fetch` as an option: every address and redirect is
 * judged as by `guardedRequest`. Bodies are read whole before it resolves, so nothing streams; only a GET is redirected.
 * Rejects with a ParleyError, `url-refused` or `url-failed`.
 */
export function createGuardedFetch({
  guard,
  maxBytes = 5_000_000,
  timeoutMs,
}: GuardedFetchOptions): typeof globalThis.fetch {
  return async (input, init) => {
    // Before a Request is made of it, which refuses some addresses in words of its own.
    const url = guard.check(input instanceof Request ? input.url : input)
    const request = input instanceof Request ? new Request(input, init) : new Request(url, init)
    const { status, headers, body, truncated } = await guardedRequest(url, {
      guard,
      method: request.method,
      headers: Object.fromEntries(request.headers),
      body: request.body === null ? undefined : new Uint8Array(await request.arrayBuffer()),
      redirect: request.redirect === 'manual' ? 'manual' : 'follow',
      signal: request.signal,
      maxBytes,
      timeoutMs,
    })
    if (truncated) throw failUrl(url, { detail: `its body is longer than ${maxBytes} bytes.`, retryable: false })
    // It is decoded already.
    const { 'content-encoding': _, 'content-length': __, ...rest } = headers
    return new Response(BODILESS.has(status) ? null : new Uint8Array(body), { status, headers: rest })
  }
}
