import { createEncodingCache } from '../request/create-encoding-cache.ts'
import type { HttpFetch } from './http-fetch.ts'
import type { Dispatcher } from './dispatcher.ts'
import { openExchange } from './open-exchange.ts'

const COMMON_HEADERS = { accept: '*/*', 'user-agent': 'parley' }

/** Creates a `fetch` that calls a dispatcher directly. Returns a redirect as the response. @param dispatcherOf Called for each request. */
export function createDispatchFetch(dispatcherOf: () => Dispatcher): HttpFetch {
  // A provider uses the same headers object for all its calls, and reading it is slow (bench: tricks header-fields).
  const fieldsOf = createEncodingCache((headers: Headers) => ({ ...COMMON_HEADERS, ...Object.fromEntries(headers) }))
  return (url, { method, headers, body, signal }) => {
    const { origin, pathname, search } = new URL(url)
    const { handler, response } = openExchange(signal)
    const request = {
      origin,
      path: pathname + search,
      method,
      headers: fieldsOf(headers),
      body,
      headersTimeout: 0,
      bodyTimeout: 0,
    }
    dispatcherOf().dispatch(request, handler)
    return response
  }
}
