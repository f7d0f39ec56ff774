import { checkOptions, type OptionKinds } from '@parley/core'
import { Agent, type Dispatcher } from 'undici'
import { createDispatchFetch } from '../transport/create-dispatch-fetch.ts'
import type { HttpFetch } from '../transport/http-fetch.ts'

export interface UndiciFetchOptions {
  /**
   * Dispatcher that holds the connections: a `ProxyAgent`, or an `Agent` with your own limits and certificates. To
   * close the connections, close the dispatcher.
   * @default an `Agent` that keeps idle connections for 30 s without keeping the process alive
   */
  readonly dispatcher?: Dispatcher | undefined
}

const KEEP_ALIVE_MS = 30_000

const OPTIONS: OptionKinds<UndiciFetchOptions> = {
  dispatcher: 'object',
}

/**
 * Creates a `fetch` for a provider that uses its own undici dispatcher. It does not have the fixed limit of 300 s that
 * the `fetch` of Node.js has for headers and data. Undici must connect within 10 s. After that, only the deadlines of
 * the provider apply. Returns a redirect as the response.
 */
export function createUndiciFetch(options: UndiciFetchOptions = {}): HttpFetch {
  checkOptions('createUndiciFetch', options, OPTIONS)
  const { dispatcher = new Agent({ keepAliveTimeout: KEEP_ALIVE_MS }) } = options
  return createDispatchFetch(() => dispatcher)
}
