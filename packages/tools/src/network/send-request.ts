import { request as requestHttp, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { GuardedRequestOptions, GuardedResponse } from './guarded-request-options.ts'
import type { HostAddress } from './network-guard.ts'
import { readBody } from './read-body.ts'
import { failUrl } from './refuse-url.ts'

const REDIRECTS = new Set([301, 302, 303, 307, 308])

export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status)
}

export interface SendOptions extends GuardedRequestOptions {
  /** Aborting it aborts the request. */
  readonly stop: AbortSignal
}

/** Sends one request over a new connection to an address that the guard has checked, and reads the response. */
export async function sendRequest(url: URL, options: SendOptions): Promise<GuardedResponse> {
  const { guard, stop, maxBytes = 5_000_000, accepts = () => true } = options
  const addresses = await guard.resolve(url, { signal: stop })
  const message = await open(url, addresses, options)
  try {
    const status = message.statusCode ?? 0
    const headers = toHeaders(message)
    const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';')
    const contentType = type.trim().toLowerCase()
    const charset = parameters.map(part => /^\s*charset\s*=\s*"?([^"\s]+)/i.exec(part)?.[1]).find(Boolean)
    const facts = { url: url.href, status, contentType, charset, headers }
    if (isRedirect(status)) return { ...facts, body: Buffer.alloc(0), truncated: false }
    if (!accepts(contentType)) {
      const detail = `its content type is '${contentType.slice(0, 100)}', which cannot be read as text. Use another source.`
      throw failUrl(url, { detail, retryable: false, status })
    }
    return { ...facts, ...(await readBody(message, { maxBytes, signal: stop })) }
  } finally {
    message.destroy()
  }
}

function open(
  url: URL,
  addresses: readonly HostAddress[],
  { method = 'GET', headers = {}, body, stop }: SendOptions,
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
