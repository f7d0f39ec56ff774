import type { HttpFetch } from './http-fetch.ts'

/** A secret, or a function that returns the current one for each request. */
export type Secret = string | (() => string | Promise<string>)

/**
 * Returns a `fetch` that adds `authorization: Bearer TOKEN` to requests without an `authorization` header. If the token
 * function fails, the call fails with `model-network`.
 */
export function withBearer(fetch: HttpFetch, token: Secret): HttpFetch {
  return async (url, request) => {
    if (request.headers.has('authorization')) return await fetch(url, request)
    const headers = new Headers(request.headers)
    const value = typeof token === 'string' ? token : await token()
    // A token pasted from a file may end in a line break.
    headers.set('authorization', `Bearer ${value.trim()}`)
    return await fetch(url, { ...request, headers })
  }
}
