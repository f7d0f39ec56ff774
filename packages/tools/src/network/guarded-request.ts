import { request as requestHttp, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { ParleyError } from '@parley/core'
import type { HostAddress, NetworkGuard } from './network-guard.ts'
import { readBody } from './read-body.ts'
import { failUrl, refuseUrl } from './refuse-url.ts'

export interface GuardedRequestOptions {
  /** Decides which addresses may be fetched. */
  readonly guard: NetworkGuard
  /** HTTP method. @default 'GET' */
  readonly method?: string | undefined
  /** Headers for the first origin. A redirect to another origin keeps only `accept` and `user-agent`. @default {} */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Body of the request. @default none */
  readonly body?: string | Uint8Array | undefined
  /** Maximum bytes of the response body, after decompression. The rest is not read. @default 5_000_000 */
  readonly maxBytes?: number | undefined
  /** Milliseconds for the whole request, redirects and body included. @default 30_000 */
  readonly timeoutMs?: number | undefined
  /** Whether to follow redirects. `manual` returns a redirect as the response. @default 'follow' */
  readonly redirect?: 'follow' | 'manual' | undefined
  /** Maximum number of redirects. Only a GET follows them. @default 5 */
  readonly maxRedirects?: number | undefined
  /** Decides from the content type whether to read the body. @default reads any body */
  readonly accepts?: ((contentType: string) => boolean) | undefined
  /** Aborting it aborts the request. @default none */
  readonly signal?: AbortSignal | undefined
}

/** The response to a guarded request. */
export interface GuardedResponse {
  /** The final URL after all redirects. */
  readonly url: string
  readonly status: number
  /** Media type in lower case, without parameters. Empty if the response has none. */
  readonly contentType: string
  /** The `charset` parameter of the content type. */
  readonly charset: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Whether the body was longer than `maxBytes`. */
  readonly truncated: boolean
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/**
 * Sends a request to an address that the guard allows. The guard checks the address of every redirect too, and the connection
 * uses exactly the checked addresses. So neither a redirect nor DNS rebinding (a name whose address changes after the check)
 * can reach a private address. The request ignores the proxy settings in environment variables.
 * @throws ParleyError `url-refused` or `url-failed`.
 */
export async function guardedRequest(given: string | URL, options: GuardedRequestOptions): Promise<GuardedResponse> {
  const { guard, timeoutMs = 30_000, maxRedirects = 5, method = 'GET', headers = {}, redirect, signal } = options
  const timeout = AbortSignal.timeout(timeoutMs)
  const stop = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
  let url = guard.check(given)
  let sent = headers
  try {
    for (let redirects = 0; ; redirects++) {
      const response = await exchange(url, { ...options, headers: sent, stop })
      const location = response.headers['location']
      if (redirect === 'manual' || !REDIRECTS.has(response.status) || location === undefined) return response
      if (method !== 'GET')
        throw failUrl(url, { detail: `it redirects a ${method} request, which is not followed.`, retryable: false })
      if (redirects === maxRedirects) {
        throw failUrl(url, { detail: `it redirected more than ${maxRedirects} times.`, retryable: false })
      }
      if (!URL.canParse(location, url.href)) refuseUrl(url, 'invalid', 'it redirects to an invalid URL.')
      const next = guard.check(new URL(location, url.href))
      if (next.origin !== url.origin) sent = publicHeaders(sent)
      url = next
    }
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason
    if (timeout.aborted) {
      throw failUrl(url, { detail: `it was stopped after ${timeoutMs} ms. Try another source.`, retryable: true })
    }
    if (ParleyError.is(error)) throw error
    throw failUrl(url, { detail: `${describe(error)}. Try again later, or another source.`, retryable: true })
  }
}

function publicHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const kept = new Set(['accept', 'user-agent'])
  return Object.fromEntries(Object.entries(headers).filter(([name]) => kept.has(name.toLowerCase())))
}

interface ExchangeOptions extends GuardedRequestOptions {
  readonly stop: AbortSignal
}

async function exchange(url: URL, options: ExchangeOptions): Promise<GuardedResponse> {
  const { guard, stop, maxBytes = 5_000_000, accepts = () => true } = options
  const addresses = await guard.resolve(url, { signal: stop })
  const message = await send(url, addresses, options)
  try {
    const status = message.statusCode ?? 0
    const headers = toHeaders(message)
    const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';')
    const contentType = type.trim().toLowerCase()
    const charset = parameters.map(part => /^\s*charset\s*=\s*"?([^"\s]+)/i.exec(part)?.[1]).find(Boolean)
    const facts = { url: url.href, status, contentType, charset, headers }
    if (REDIRECTS.has(status)) return { ...facts, body: Buffer.alloc(0), truncated: false }
    if (!accepts(contentType)) {
      const detail = `its content type is '${contentType.slice(0, 100)}', which cannot be read as text. Use another source.`
      throw failUrl(url, { detail, retryable: false, status })
    }
    return { ...facts, ...(await readBody(message, { maxBytes, signal: stop })) }
  } finally {
    message.destroy()
  }
}

function send(
  url: URL,
  addresses: readonly HostAddress[],
  { method = 'GET', headers = {}, body, stop }: ExchangeOptions,
): Promise<IncomingMessage> {
  const settings: RequestOptions = {
    method,
    // A new connection: a kept-alive one could lead to an address of another lookup, and a global agent could use a proxy.
    agent: false,
    lookup: lookupOf(addresses),
    signal: stop,
    maxHeaderSize: 65_536,
    headers: {
      'accept-encoding': 'gzip, deflate, br',
      ...headers,
      ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    },
  }
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request: ClientRequest = url.protocol === 'https:' ? requestHttps(url, settings) : requestHttp(url, settings)
  request.on('response', resolve)
  request.on('error', reject)
  request.on('upgrade', (_, socket) => {
    socket.destroy()
    reject(new Error('protocol change'))
  })
  request.end(body)
  return promise
}

/** Answers every lookup of the connection with the checked addresses, so that the name is not resolved again. */
function lookupOf(addresses: readonly HostAddress[]): LookupFunction {
  const [first] = addresses
  return (_, { all }, callback) => {
    if (all === true) callback(null, [...addresses])
    else callback(null, first?.address ?? '', first?.family ?? 4)
  }
}

function toHeaders({ headers }: IncomingMessage): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  return Object.fromEntries(entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]))
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection failed'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const known: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'nothing answers at that address',
    ECONNRESET: 'the server closed the connection',
    EHOSTUNREACH: 'the network has no way to that address',
    ENETUNREACH: 'the network has no way to that address',
    ETIMEDOUT: 'the server did not answer',
    HPE_HEADER_OVERFLOW: 'its headers are larger than 64 KB',
  }
  if (known[code] !== undefined) return known[code]
  if (/^(?:CERT|ERR_TLS|ERR_SSL|DEPTH|SELF_SIGNED|UNABLE_TO)/.test(code))
    return `its certificate is not valid (${code})`
  return code === '' ? 'the connection failed' : `the connection failed (${code})`
}
