import { Agent, type Dispatcher } from 'undici'
import { createDispatchFetch } from '../transport/create-dispatch-fetch.ts'
import type { HttpFetch } from '../transport/http-fetch.ts'

export interface UndiciFetchOptions {
  /**
   * Holds the connections: a `ProxyAgent`, or an `Agent` with limits and certificates of your own, which is also how they
   * are closed. @default an `Agent` that keeps idle connections for 30 s without keeping the process alive
   */
  readonly dispatcher?: Dispatcher | undefined
}

const KEEP_ALIVE_MS = 30_000

/**
 * Makes the requests of a provider by a dispatcher of undici of its own, without the fixed limit of 300 s that `fetch` has for
 * headers and data: once connected, for which undici gives 10 s, the provider's own deadlines are the only ones. A redirect
 * is given as the response that it is.
 */
export function createUndiciFetch({
  dispatcher = new Agent({ keepAliveTimeout: KEEP_ALIVE_MS }),
}: UndiciFetchOptions = {}): HttpFetch {
  return createDispatchFetch(() => dispatcher)
}
