import { createEncodingCache } from '../request/create-encoding-cache.ts'
import type { HttpFetch } from './http-fetch.ts'
import type { Dispatcher } from './dispatcher.ts'
import { openExchange } from './open-exchange.ts'

const COMMON_HEADERS = { accept: '*/*', 'user-agent': 'parley' }

/** Makes requests by the dispatcher that is there when they are made. A redirect is given as the response that it is. */
export function createDispatchFetch(dispatcherOf: () => Dispatcher): HttpFetch {
  // Those of a provider are the same for all its calls.
  const fieldsOf = createEncodingCache((headers: Headers) => ({ ...COMMON_HEADERS, ...Object.fromEntries(headers) }))
  let last = { url: '', origin: '', path: '' }
  return (url, { method, headers, body, signal }) => {
    if (url !== last.url) {
      const { origin, pathname, search } = new URL(url)
      last = { url, origin, path: pathname + search }
    }
    const { origin, path } = last
    const { handler, response } = openExchange(signal)
    const request = { origin, path, method, headers: fieldsOf(headers), body, headersTimeout: 0, bodyTimeout: 0 }
    dispatcherOf().dispatch(request, handler)
    return response
  }
}
