import type { HttpFetch } from './http-fetch.ts'

/** A secret, or what gives one for each request: it may expire. */
export type Secret = string | (() => string | Promise<string>)

/**
 * Makes requests that bear a token in their `authorization`, unless they have one already. A token that cannot be got
 * counts as a network failure.
 */
export function withBearer(fetch: HttpFetch, token: Secret): HttpFetch {
  return async (url, request) => {
    if (request.headers.has('authorization')) return await fetch(url, request)
    const headers = new Headers(request.headers)
    const value = typeof token === 'string' ? token : await token()
    // Tokens pasted from a file bring their line end along.
    headers.set('authorization', `Bearer ${value.trim()}`)
    return await fetch(url, { ...request, headers })
  }
}
