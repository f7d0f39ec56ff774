import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRuntime } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { fakeClock } from '@parley/testing'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose'
import { describe, expect, it } from 'vitest'
import { compose, createTestApp } from '../__fixtures__/open-test-server.ts'
import { problemOf } from '../__fixtures__/problem-of.ts'
import { ask } from '../__fixtures__/sse.ts'
import { hashApiKey } from './api-key.ts'
import type { TokenIssuer } from './token-issuer.ts'

interface Signer {
  readonly key: CryptoKey
  readonly kid: string
}

/** An issuer with its keys behind a real socket. */
async function openIssuer() {
  let published: JWK[] = []
  let requests = 0
  let status = 200
  let document: Readonly<Record<string, unknown>> = {}
  let movedTo: string | undefined
  const http = createServer((request, response) => {
    requests++
    const body = request.url === '/jwks' ? { keys: published } : { issuer: url, jwks_uri: `${url}/jwks`, ...document }
    const isMoved = movedTo !== undefined && request.url !== movedTo && request.url !== '/jwks'
    if (isMoved) response.writeHead(302, { location: movedTo }).end()
    else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`

  async function rotate(kid: string): Promise<Signer> {
    const { publicKey, privateKey } = await generateKeyPair('ES256')
    published = [{ ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' }]
    return { key: privateKey, kid }
  }

  const sign = ({ key, kid }: Signer, claims: Record<string, unknown> = {}): Promise<string> => {
    const now = Math.floor(Date.now() / 1_000)
    const all = { iss: url, aud: 'parley', sub: 'ada', iat: now, exp: now + 60, ...claims }
    return new SignJWT(all).setProtectedHeader({ alg: 'ES256', kid }).sign(key)
  }

  const serve = (options: Partial<TokenIssuer> = {}, others: Parameters<typeof createTestApp>[0] = {}) => {
    const errors: unknown[] = []
    const tokens = [{ issuer: url, audience: 'parley', keysCooldownMs: 0, ...options }]
    const given = createTestApp({ tokens, onError: error => errors.push(error), ...others })
    const get = (token: string) => given.send('/sessions', { headers: { authorization: `Bearer ${token}` } })
    const start = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` }
      return (await given.send('/process', { json: ask('go', { stream: false }), headers })).text()
    }
    return { ...given, get, start, errors }
  }
  return {
    url,
    sign,
    rotate,
    serve,
    requests: () => requests,
    fail: (code: number) => (status = code),
    /** Changes fields of the discovery document. */
    publish: (fields: Readonly<Record<string, unknown>>) => (document = fields),
    /** Answers requests for the discovery document with a redirect. */
    move: (address: string) => (movedTo = address),
    [Symbol.asyncDispose]: async () => {
      http.close()
      http.closeAllConnections()
      await once(http, 'close')
    },
  }
}

type Issuer = Awaited<ReturnType<typeof openIssuer>>

describe('tokens of an issuer', () => {
  it('a token gives its subject a scope of its own, and its roles', async () => {
    await using issuer = await openIssuer()
    const signer = await issuer.rotate('a')
    const { start, store, get } = issuer.serve()
    await start(await issuer.sign(signer, { roles: ['boss', 'clerk'] }))
    const [run] = await store.runs({ scope: `${issuer.url}|ada` })
    const [first] = await store.read(run?.runId ?? '')
    expect(first).toMatchObject({ principal: { id: `${issuer.url}|ada`, roles: ['boss', 'clerk'] } })
    const own = (await (await get(await issuer.sign(signer))).json()) as { data: unknown[] }
    const other = (await (await get(await issuer.sign(signer, { sub: 'bob' }))).json()) as { data: unknown[] }
    expect([own.data.length, other.data.length]).toEqual([1, 0])
  })

  it('a run whose process died is resumed once a client with a token for its scope sends a request', async () => {
    await using issuer = await openIssuer()
    const signer = await issuer.rotate('a')
    const store = createMemoryStore()
    const scope = `${issuer.url}|ada`
    const gone = compose({ store, script: [{ text: 'Half an answer.', delayMs: 60_000 }] })
    const run = gone.runtime.run('guide', 'go', { scope })
    await expect.poll(() => store.runs({ scope, status: 'running' })).toHaveLength(1)
    const { agents } = compose({ store, script: ['Hello again.'] })
    const runtime = createRuntime({ agents, store, isWorkerGone: () => true })
    const { app, get } = issuer.serve({}, { store, agents, runtime })
    expect(await app.takeOver()).toBe(0)
    await get(await issuer.sign(signer))
    expect(await app.takeOver()).toBe(1)
    await expect.poll(async () => (await store.run(run.runId))?.status).toBe('completed')
    await gone.runtime.close({ drainMs: 0 })
  })

  it('claims of other names and inside objects give the scope and the roles', async () => {
    await using issuer = await openIssuer()
    const signer = await issuer.rotate('a')
    const options = { scopeClaim: 'https://x.example/org', rolesClaim: 'realm.roles', scopePrefix: 'org-' }
    const { start, store } = issuer.serve(options)
    await start(await issuer.sign(signer, { 'https://x.example/org': 'acme', realm: { roles: 'boss clerk' } }))
    const [run] = await store.runs({ scope: 'org-acme' })
    expect((await store.read(run?.runId ?? ''))[0]).toMatchObject({ principal: { roles: ['boss', 'clerk'] } })
  })

  it('a subject with the name of an API key does not get the scope of the key', async () => {
    await using issuer = await openIssuer()
    const signer = await issuer.rotate('a')
    const { get, store, send } = issuer.serve({}, { keys: [{ name: 'ada', hash: hashApiKey('key-of-ada') }] })
    const headers = { 'x-api-key': 'key-of-ada' }
    await (await send('/process', { json: ask('go', { stream: false }), headers })).text()
    expect(await store.runs({ scope: 'ada' })).toHaveLength(1)
    expect(await (await get(await issuer.sign(signer))).json()).toMatchObject({ data: [] })
  })

  it('rotated keys are read again, and tokens of a removed key are rejected', async () => {
    await using issuer = await openIssuer()
    const old = await issuer.rotate('old')
    const { get } = issuer.serve()
    const before = await issuer.sign(old)
    expect((await get(before)).status).toBe(200)
    const next = await issuer.rotate('new')
    expect((await get(await issuer.sign(next))).status).toBe(200)
    expect((await get(before)).status).toBe(401)
  })

  it('the address of the keys can be given, and one request reads the keys for many tokens', async () => {
    await using issuer = await openIssuer()
    const signer = await issuer.rotate('a')
    const { get } = issuer.serve({ jwksUrl: `${issuer.url}/jwks`, keysCooldownMs: 60_000 })
    for (const sub of ['a', 'b', 'c']) expect((await get(await issuer.sign(signer, { sub }))).status).toBe(200)
    for (let index = 0; index < 5; index++)
      expect((await get(await issuer.sign({ ...signer, kid: `unknown-${index}` }))).status).toBe(401)
    expect(issuer.requests()).toBe(1)
  })

  it('a token that is expired, forged, or made for another service, is rejected', async () => {
    await using issuer = await openIssuer()
    const signer = await issuer.rotate('a')
    const { get, errors } = issuer.serve()
    const foreign = { kid: 'a', key: (await generateKeyPair('ES256')).privateKey }
    const good = await issuer.sign(signer)
    const [, payload, signature] = good.split('.')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    const bad = {
      expired: await issuer.sign(signer, { exp: 1_000 }),
      'of another audience': await issuer.sign(signer, { aud: 'other' }),
      'of another issuer': await issuer.sign(signer, { iss: 'https://evil.example' }),
      'without an end': await issuer.sign(signer, { exp: undefined }),
      'without a subject': await issuer.sign(signer, { sub: undefined }),
      'with an empty scope': await issuer.sign(signer, { sub: ' ' }),
      'not valid yet': await issuer.sign(signer, { nbf: 9_999_999_999 }),
      'of another key': await issuer.sign(foreign),
      'without a signature': `${none}.${payload}.`,
      'of the algorithm none': `${none}.${payload}.${signature}`,
      'that is no JSON': 'aa.bb.cc',
    }
    expect((await get(good)).status).toBe(200)
    for (const [name, token] of Object.entries(bad))
      expect([name, await problemOf(await get(token))]).toEqual([name, '401 UNAUTHORIZED'])
    expect(errors).toEqual([])
  })

  it('while the keys cannot be read, a token gets 503 without details, and the owner gets the error', async () => {
    await using issuer = await openIssuer()
    const signer = await issuer.rotate('a')
    const { get, errors } = issuer.serve()
    issuer.fail(500)
    const response = await get(await issuer.sign(signer))
    const text = await response.clone().text()
    expect(await problemOf(response)).toBe('503 SERVICE_UNAVAILABLE')
    expect(text).not.toContain(issuer.url)
    expect(errors).toHaveLength(1)
    issuer.fail(200)
    expect((await get(await issuer.sign(signer))).status).toBe(200)
  })

  it('a token is accepted up to clockToleranceMs after its end', async () => {
    await using issuer = await openIssuer()
    const signer = await issuer.rotate('a')
    const { get } = issuer.serve({}, { clock: fakeClock(1_700_000_000_000) })
    const endedFor = async (seconds: number) =>
      (await get(await issuer.sign(signer, { exp: 1_700_000_000 - seconds }))).status
    expect([await endedFor(4), await endedFor(6)]).toEqual([200, 401])
  })

  it('a token needs a subject and a scope of at most 256 characters, and gives at most 100 roles', async () => {
    await using issuer = await openIssuer()
    const signer = await issuer.rotate('a')
    const { get, start, store } = issuer.serve({ scopeClaim: 'tenant', scopePrefix: '' })
    const statusOf = async (claims: Record<string, unknown>) => (await get(await issuer.sign(signer, claims))).status
    expect(await statusOf({ tenant: 'x'.repeat(256) })).toBe(200)
    for (const claims of [{ tenant: 'x'.repeat(257) }, { tenant: 'acme', sub: undefined }, { tenant: 7 }, {}])
      expect([claims, await statusOf(claims)]).toEqual([claims, 401])
    await start(await issuer.sign(signer, { tenant: 'acme', roles: Array.from({ length: 150 }, (_, n) => `r${n}`) }))
    const [run] = await store.runs({ scope: 'acme' })
    const [first] = await store.read(run?.runId ?? '')
    expect(first?.type === 'run.started' ? first.principal?.roles : []).toHaveLength(100)
  })

  it('a token in x-api-key is rejected', async () => {
    await using issuer = await openIssuer()
    const token = await issuer.sign(await issuer.rotate('a'))
    expect((await issuer.serve().send('/sessions', { headers: { 'x-api-key': token } })).status).toBe(401)
  })

  it.each([
    ['names another issuer', (issuer: Issuer) => issuer.publish({ issuer: 'https://evil.example' }), 'another issuer'],
    [
      'names keys without https',
      (issuer: Issuer) => issuer.publish({ jwks_uri: 'http://id.example' }),
      'https: address',
    ],
    ['is redirected', (issuer: Issuer) => issuer.move('/moved'), ''],
  ])('no token is accepted while the discovery document %s, and then again', async (_, spoil, words) => {
    await using issuer = await openIssuer()
    const token = await issuer.sign(await issuer.rotate('a'))
    const { get, errors } = issuer.serve()
    spoil(issuer)
    expect(await problemOf(await get(token))).toBe('503 SERVICE_UNAVAILABLE')
    expect(String(errors[0])).toContain(words)
    issuer.publish({})
    issuer.move('/.well-known/openid-configuration')
    expect((await get(token)).status).toBe(200)
  })

  it.each([
    [{ issuer: 'http://id.example' }, 'tokens.0.issuer: must be an https: address'],
    [{ jwksUrl: 'http://id.example/jwks' }, 'tokens.0.jwksUrl: must be an https: address'],
    [{ issuer: 'company' }, 'tokens.0.issuer: must be a URL'],
    [{ audience: '' }, 'tokens.0.audience: must not be empty'],
  ])('createServerApp rejects an issuer with %o', (options, message) => {
    const tokens = [{ issuer: 'https://id.example', audience: 'parley', ...options }]
    expect(() => createTestApp({ tokens })).toThrow(message)
  })
})
