import { createHash, createHmac } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { signRequest } from './sign-request.ts'

/** SHA-256 in the form that AWS's signer expects. */
class Sha256 {
  readonly #hash
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    const key = typeof secret === 'string' ? secret : Buffer.from((secret as Uint8Array | undefined) ?? [])
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', key)
  }
  update(data: Uint8Array | string): void {
    this.#hash.update(data)
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }
  reset(): void {
    throw new Error('not used')
  }
}

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }

interface Case {
  readonly url: URL
  readonly headers: Record<string, string>
  readonly body: string
  readonly sessionToken: string | undefined
}

const NOW = '2026-11-22T04:05:06.789Z'

async function reference({ url, headers, body, sessionToken }: Case): Promise<Record<string, string>> {
  const signer = new SignatureV4({
    service: 'bedrock',
    region: 'us-east-1',
    credentials: { ...credentials, ...(sessionToken === undefined ? {} : { sessionToken }) },
    sha256: Sha256 as never,
    // The header x-amz-content-sha256 is optional outside S3: the signature covers the hash of the body anyway.
    applyChecksum: false,
  })
  const { host, hostname, pathname, searchParams } = url
  const names = [...new Set(searchParams.keys())]
  const query = Object.fromEntries(names.map(name => [name, searchParams.getAll(name)]))
  const { headers: signed } = await signer.sign(
    { method: 'POST', protocol: 'https:', hostname, path: pathname, query, headers: { ...headers, host }, body },
    { signingDate: new Date(NOW) },
  )
  const { host: _, ...sent } = Object.fromEntries(
    Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]),
  )
  return sent
}

const segment = fc
  .stringMatching(/^[A-Za-z0-9._~:@%$,!'()*-]{1,20}$/)
  .map(text => text.replaceAll(/%(?![0-9A-F]{2})/g, '%25'))

const cases: fc.Arbitrary<Case> = fc
  .record({
    path: fc.array(segment, { minLength: 1, maxLength: 4 }),
    query: fc.array(fc.tuple(fc.stringMatching(/^[a-z ]{1,5}$/), fc.string({ maxLength: 5 })), { maxLength: 3 }),
    header: fc.stringMatching(/^[!-~][ -~]{0,20}$/),
    body: fc.string(),
    sessionToken: fc.option(fc.stringMatching(/^[A-Za-z0-9+/=]{10,30}$/), { nil: undefined }),
  })
  .map(({ path, query, header, body, sessionToken }) => {
    const url = new URL(`https://bedrock-runtime.us-east-1.amazonaws.com/${path.join('/')}`)
    for (const [name, value] of query) url.searchParams.append(name, value)
    return {
      url,
      headers: { 'content-type': 'application/json', 'x-own': header.trim(), 'user-agent': 'x', pragma: 'y' },
      body,
      sessionToken,
    }
  })

it("signRequest signs any path, query, headers and body as AWS's own signer does", async () => {
  await fc.assert(
    fc.asyncProperty(cases, async each => {
      const { url, headers, body, sessionToken } = each
      const signed = await signRequest(
        { method: 'POST', url: url.href, headers: new Headers(headers), body },
        {
          credentials: { ...credentials, sessionToken },
          region: 'us-east-1',
          service: 'bedrock',
          now: Date.parse(NOW),
        },
      )
      expect(Object.fromEntries(signed)).toEqual(await reference(each))
    }),
  )
})
