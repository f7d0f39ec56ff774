import { checkOptions, type OptionKinds } from '@parley/core'
import { guardedRequest } from './guarded-request.ts'
import type { NetworkGuard } from './network-guard.ts'
import { failUrl } from './refuse-url.ts'

export interface GuardedFetchOptions {
  /** Decides which addresses may be fetched. */
  readonly guard: NetworkGuard
  /** Maximum bytes of a body, after decompression. A longer body is a failure. @default 5_000_000 */
  readonly maxBytes?: number | undefined
  /** Milliseconds for one call, redirects and body included. @default 30_000 */
  readonly timeoutMs?: number | undefined
}

/** Statuses whose responses have no body. */
const BODILESS = new Set([204, 205, 304])

const OPTIONS: OptionKinds<GuardedFetchOptions> = {
  guard: 'object!',
  maxBytes: 'number',
  timeoutMs: 'number',
}

/**
 * Creates a `fetch` that uses a guard, for functions that accept a `fetch` as an option. It checks every address and redirect
 * as `guardedRequest` does. It reads the whole body before it resolves, so it cannot stream. Only a GET follows redirects. It
 * rejects with the ParleyError `url-refused` or `url-failed`.
 */
export function createGuardedFetch(options: GuardedFetchOptions): typeof globalThis.fetch {
  checkOptions('createGuardedFetch', options, OPTIONS)
  const { guard, maxBytes = 5_000_000, timeoutMs } = options
  return async (input, init) => {
    // Checked first, because the `Request` constructor rejects some addresses with its own error.
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
    // `guardedRequest` has already decoded the body.
    const { 'content-encoding': _, 'content-length': __, ...rest } = headers
    return new Response(BODILESS.has(status) ? null : new Uint8Array(body), { status, headers: rest })
  }
}
