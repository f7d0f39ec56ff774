import type { HttpFetch } from './http-fetch.ts'
import { createDispatchFetch } from './create-dispatch-fetch.ts'
import type { Dispatcher } from './dispatcher.ts'

// Where undici, inside Node.js and as a package, keeps the dispatcher `fetch` uses. The number is that of the handlers' form.
const DISPATCHER = Symbol.for('undici.globalDispatcher.1')

/**
 * What makes requests where nobody says otherwise: the `fetch` of this runtime. Where that is Node.js's own, requests go
 * straight to the dispatcher behind it, which a `ProxyAgent` or a mock set by undici's `setGlobalDispatcher` replaces: the
 * same connections in less time, and no fixed limit of 300 s for headers and data. A `fetch` that somebody has put in
 * place of Node.js's is used as it is.
 */
export function platformFetch(): HttpFetch {
  const { fetch } = globalThis
  if (!isOfNode(fetch)) return fetch
  const dispatch = createDispatchFetch(() => dispatcherOf() as Dispatcher)
  return (url, request) => (dispatcherOf() === undefined ? fetch(url, request) : dispatch(url, request))
}

function isOfNode(fetch: typeof globalThis.fetch): boolean {
  // Its own code says so; in an environment without any, this is no error yet.
  return String(fetch).includes('internal/deps/undici')
}

function dispatcherOf(): Dispatcher | undefined {
  return (globalThis as { readonly [DISPATCHER]?: Dispatcher })[DISPATCHER]
}
