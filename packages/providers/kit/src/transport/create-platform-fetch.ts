import type { HttpFetch } from './http-fetch.ts'
import { createDispatchFetch } from './create-dispatch-fetch.ts'
import type { Dispatcher } from './dispatcher.ts'

// undici, inside Node.js and as a package, keeps the dispatcher of `fetch` here. The number is the version of the handler interface.
const DISPATCHER = Symbol.for('undici.globalDispatcher.1')

/**
 * Returns the default `fetch` of providers: the one of this runtime. If it is the built-in `fetch` of Node.js, requests
 * go directly to the dispatcher behind it. The connections stay the same, including a `ProxyAgent` or mock set by
 * undici's `setGlobalDispatcher`. The direct way takes less than half the time (bench: tricks dispatcher), and has no
 * fixed limit of 300 s for headers and data. If an application has replaced the `fetch` of Node.js, the replacement is used.
 */
export function createPlatformFetch(): HttpFetch {
  const { fetch } = globalThis
  if (!isOfNode(fetch)) return fetch
  const dispatch = createDispatchFetch(() => dispatcherOf() as Dispatcher)
  return (url, request) => (dispatcherOf() === undefined ? fetch(url, request) : dispatch(url, request))
}

function isOfNode(fetch: typeof globalThis.fetch): boolean {
  // The source text of the built-in function names undici. `String` also accepts `undefined`, in a runtime without `fetch`.
  return String(fetch).includes('internal/deps/undici')
}

function dispatcherOf(): Dispatcher | undefined {
  return (globalThis as { readonly [DISPATCHER]?: Dispatcher })[DISPATCHER]
}
