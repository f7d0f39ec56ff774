import type { AwsCredentials } from './aws-credentials.ts'

export interface SignableRequest {
  readonly method: string
  readonly url: string
  /** Signed, but for those that proxies change. */
  readonly headers: Headers
  readonly body: string
}

export interface SignOptions {
  readonly credentials: AwsCredentials
  readonly region: string
  readonly service: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

const ALGORITHM = 'AWS4-HMAC-SHA256'
/** What may change on the way. */
const UNSIGNABLE =
  /^(authorization|cache-control|connection|expect|from|keep-alive|max-forwards|pragma|referer|te|trailer|transfer-encoding|upgrade|user-agent|x-amzn-trace-id|(proxy|sec)-.*)$/
const utf8 = new TextEncoder()

/** The headers of a request with those that sign it, by AWS Signature Version 4. */
export async function signRequest(
  { method, url, headers: given, body }: SignableRequest,
  { credentials, region, service, now }: SignOptions,
): Promise<Headers> {
  const { host, pathname, searchParams } = new URL(url)
  const { accessKeyId, secretAccessKey, sessionToken } = credentials
  const date = new Date(now).toISOString().replaceAll(/[:-]|\.\d{3}/g, '')
  const day = date.slice(0, 8)
  const payloadHash = hex(await crypto.subtle.digest('SHA-256', utf8.encode(body)))
  const headers = new Headers(given)
  headers.set('x-amz-date', date)
  headers.set('x-amz-content-sha256', payloadHash)
  if (sessionToken !== undefined) headers.set('x-amz-security-token', sessionToken)

  const signed = [...headers, ['host', host] as const]
    .filter(([name]) => !UNSIGNABLE.test(name))
    .map(([name, value]) => [name, value.trim().replaceAll(/\s+/g, ' ')] as const)
    .sort(([a], [b]) => compare(a, b))
  const names = signed.map(([name]) => name).join(';')
  const lines = signed.map(([name, value]) => `${name}:${value}\n`).join('')
  // Of what is in the path already, also the percent signs are encoded.
  const path = escapeText(pathname).replaceAll('%2F', '/')
  const query = [...searchParams]
    .map(([name, value]) => [escapeText(name), escapeText(value)] as const)
    .sort(([a, first], [b, second]) => compare(a, b) || compare(first, second))
    .map(pair => pair.join('='))
    .join('&')
  const canonical = [method, path, query, lines, names, payloadHash].join('\n')

  const scope = `${day}/${region}/${service}/aws4_request`
  const digest = hex(await crypto.subtle.digest('SHA-256', utf8.encode(canonical)))
  let key: Uint8Array<ArrayBuffer> = utf8.encode(`AWS4${secretAccessKey}`)
  for (const part of [day, region, service, 'aws4_request']) key = await hmac(key, part)
  const signature = hex(await hmac(key, [ALGORITHM, date, scope, digest].join('\n')))
  headers.set(
    'authorization',
    `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  )
  return headers
}

async function hmac(key: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, utf8.encode(text)))
}

function hex(bytes: ArrayBuffer | Uint8Array): string {
  return [...new Uint8Array(bytes)].map(byte => byte.toString(16).padStart(2, '0')).join('')
}

/** By RFC 3986, which knows fewer exceptions than the language does. */
function escapeText(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
