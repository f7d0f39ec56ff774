import { AwsV4Signer } from 'aws4fetch'

/** Credentials of AWS. */
export interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Token that belongs to temporary credentials. */
  readonly sessionToken?: string | undefined
}

export interface SignableRequest {
  readonly method: string
  readonly url: string
  /** Headers of the request. All are signed, except those that proxies may change. */
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

/** Headers that a proxy may change, so a signature over them would break. The same list as in AWS's own signer. */
const UNSIGNABLE =
  /^(authorization|cache-control|connection|expect|from|keep-alive|max-forwards|pragma|referer|te|trailer|transfer-encoding|upgrade|user-agent|x-amzn-trace-id|(proxy|sec)-.*)$/

/** Returns the headers of a request with the headers of its AWS Signature Version 4 added. */
export async function signRequest(
  { method, url, headers, body }: SignableRequest,
  { credentials: { accessKeyId, secretAccessKey, sessionToken }, region, service, now }: SignOptions,
): Promise<Headers> {
  const signer = new AwsV4Signer({
    method,
    url,
    headers: [...headers].filter(([name]) => !UNSIGNABLE.test(name)),
    allHeaders: true,
    body,
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === undefined ? {} : { sessionToken }),
    region,
    service,
    datetime: new Date(now).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
  })
  const signed = new Headers(headers)
  for (const [name, value] of (await signer.sign()).headers) signed.set(name, value)
  return signed
}
