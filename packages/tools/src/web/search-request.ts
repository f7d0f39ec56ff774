import { ParleyError } from '@parley/core'
import { createNetworkGuard } from '../network/create-network-guard.ts'
import { guardedRequest } from '../network/guarded-request.ts'
import { failUrl } from '../network/refuse-url.ts'
import type { SearchResult } from './search-engine.ts'

export interface SearchRequest {
  /** Address of the engine. It comes from the configuration, so it may be private. A redirect to another private address is refused. */
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** JSON body, which makes the request a POST. @default none: the request is a GET */
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

/** Parses the base address of an engine. Adds a trailing slash, so that paths can be resolved below it. */
export function engineUrl(baseUrl: string): URL {
  if (!URL.canParse(baseUrl) || !/^https?:/i.test(baseUrl)) {
    throw new ParleyError({
      code: 'config-invalid',
      path: 'baseUrl',
      detail: `'${baseUrl}' must be an http or https URL`,
    })
  }
  const url = new URL(baseUrl)
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  return url
}

/** Sends a query to an engine and parses the JSON of the answer. @throws ParleyError `url-refused` or `url-failed`. */
export async function searchRequest({ url, headers = {}, body, signal }: SearchRequest): Promise<unknown> {
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port
  const response = await guardedRequest(url, {
    guard: createNetworkGuard({ allow: [`${url.hostname}:${port}`] }),
    headers: {
      accept: 'application/json',
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    timeoutMs: 20_000,
    signal,
  })
  const { status } = response
  if (status < 200 || status > 299) throw failUrl(url, { ...reasonOf(status), status })
  try {
    return JSON.parse(response.body.toString('utf8'))
  } catch {
    throw failUrl(url, { detail: 'the search engine did not answer with JSON.', retryable: false, status })
  }
}

function reasonOf(status: number): { readonly detail: string; readonly retryable: boolean } {
  switch (status) {
    case 401:
    case 403:
      return {
        detail: `the search engine refused the request (HTTP ${status}). Its key or settings must be checked.`,
        retryable: false,
      }
    case 429:
      return { detail: 'the search engine is rate limiting (HTTP 429). Wait before the next search.', retryable: true }
    default:
      return { detail: `the search engine answered HTTP ${status}.`, retryable: status >= 500 }
  }
}

/** Reads results from a list of objects. Skips entries without an http or https address. */
export function readResults(list: unknown, snippetKey: string): readonly SearchResult[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((item: unknown): readonly SearchResult[] => {
    const [url, title, snippet] = ['url', 'title', snippetKey].map(key => textOf(item, key))
    if (url === undefined || !/^https?:\/\//i.test(url)) return []
    return [{ url, title: title ?? '', snippet: snippet ?? '' }]
  })
}

/** Returns a member of a JSON object. `undefined` if the value is not an object. */
export function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined
}

function textOf(value: unknown, key: string): string | undefined {
  const member = memberOf(value, key)
  return typeof member === 'string' ? member : undefined
}
