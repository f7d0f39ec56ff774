import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { ParleyError } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { openNameServer } from '../__fixtures__/open-name-server.ts'
import { openWebServer, type Answer } from '../__fixtures__/open-web-server.ts'
import { createNetworkGuard } from './create-network-guard.ts'
import { guardedRequest } from './guarded-request.ts'
import type { HostLookup } from './network-guard.ts'

interface Refusal {
  readonly code: string
  readonly reason?: string
  readonly message: string
}

async function refusalOf(promise: Promise<unknown>): Promise<Refusal> {
  try {
    await promise
  } catch (error) {
    if (ParleyError.is(error, 'url-refused')) {
      return { code: error.code, reason: error.info.reason, message: error.message }
    }
    if (ParleyError.is(error)) return { code: error.code, message: error.message }
    throw error
  }
  return { code: 'none', message: 'was let through' }
}

/** Names of a hostile DNS zone and the addresses that the resolver returns. */
const ZONE: Readonly<Record<string, readonly string[]>> = {
  'public.test': ['93.184.216.34'],
  'loop.test': ['127.0.0.1'],
  'meta.test': ['169.254.169.254'],
  'ten.test': ['10.0.0.7'],
  'six.test': ['::1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'nat.test': ['64:ff9b::7f00:1'],
  'unique.test': ['fd00:ec2::254'],
  'zero.test': ['0.0.0.0'],
  'mixed.test': ['93.184.216.34', '127.0.0.1'],
  'mixed6.test': ['2606:4700::1', 'fe80::1%eth0'],
  'localtest.me': ['127.0.0.1'],
}

const lookup: HostLookup = async host =>
  (ZONE[host] ?? []).map(address => ({ address, family: address.includes(':') ? 6 : 4 }))

/** Attempts to reach a server on loopback or another private address. PORT stands for the server's port. */
const ATTEMPTS: readonly string[] = [
  'http://127.0.0.1:PORT/',
  'http://127.0.0.1:PORT',
  'http://127.1:PORT/',
  'http://127.0.1:PORT/',
  'http://127.255.255.254:PORT/',
  'http://2130706433:PORT/',
  'http://0x7f000001:PORT/',
  'http://0x7F.1:PORT/',
  'http://0x7f.0x0.0x0.0x1:PORT/',
  'http://017700000001:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://0177.0x0.0.1:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://127.0.0.1%2e:PORT/',
  'http://%31%32%37.0.0.1:PORT/',
  'http://１２７.0.0.1:PORT/',
  'http://①②⑦.0.0.1:PORT/',
  'http://127。0。0。1:PORT/',
  'http://0:PORT/',
  'http://0.0.0.0:PORT/',
  'http://0/',
  'http://localhost:PORT/',
  'http://LOCALHOST:PORT/',
  'http://localhost.:PORT/',
  'http://localhost..:PORT/',
  'http://ｌocalhost:PORT/',
  'http://foo.localhost:PORT/',
  'http://localhost.localdomain:PORT/',
  'http://[::1]:PORT/',
  'http://[0:0:0:0:0:0:0:1]:PORT/',
  'http://[0000::0001]:PORT/',
  'http://[::]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[::FFFF:7F00:0001]:PORT/',
  'http://[0:0:0:0:0:ffff:7f00:1]:PORT/',
  'http://[::127.0.0.1]:PORT/',
  'http://[::ffff:0:7f00:1]:PORT/',
  'http://[64:ff9b::7f00:1]:PORT/',
  'http://[64:ff9b:1::7f00:1]:PORT/',
  'http://[2002:7f00:1::]:PORT/',
  'http://[2001:0:7f00:1::]:PORT/',
  'http://[fe80::1]:PORT/',
  'http://[fe80::1%25lo]:PORT/',
  'http://[::1%25lo]:PORT/',
  'http://[fd00:ec2::254]/latest/meta-data/',
  'http://[ff02::1]:PORT/',
  'http://169.254.169.254/latest/meta-data/',
  'http://169.254.169.254./',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://metadata.google.internal/computeMetadata/v1/',
  'http://168.63.129.16/machine',
  'http://100.100.100.200/latest/',
  'http://192.0.0.192/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.1.1/',
  'http://198.18.0.1/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://printer.local/',
  'http://router.lan/',
  'http://nas.home.arpa/',
  'http://loop.test:PORT/',
  'http://LOOP.TEST:PORT/',
  'http://loop.test.:PORT/',
  'http://meta.test/',
  'http://ten.test/',
  'http://six.test:PORT/',
  'http://mapped.test:PORT/',
  'http://nat.test:PORT/',
  'http://unique.test/',
  'http://zero.test:PORT/',
  'http://mixed.test:PORT/',
  'http://mixed6.test/',
  'http://localtest.me:PORT/',
  'https://127.0.0.1:PORT/',
  'http:127.0.0.1:PORT/',
  'http:/127.0.0.1:PORT/',
  'http:\\\\127.0.0.1:PORT\\',
  'http://\t127.0.0.1:PORT/',
  'http://127.0.0.1\n:PORT/',
  ' http://127.0.0.1:PORT/',
  'http://public.test:22/',
  'http://public.test:25/',
  'http://public.test:6379/',
  'http://public.test:11211/',
  'http://user@127.0.0.1:PORT/',
  'http://public.test@127.0.0.1:PORT/',
  'http://127.0.0.1:PORT@public.test/',
  'http://user:pass@public.test/',
  'file:///etc/passwd',
  'ftp://public.test/',
  'gopher://127.0.0.1:PORT/_x',
  'dict://127.0.0.1:PORT/',
  'data:text/plain,hello',
  'javascript:alert(1)',
  'ws://127.0.0.1:PORT/',
  'unix:///var/run/docker.sock',
  '//127.0.0.1:PORT/',
  '127.0.0.1:PORT',
  'http://',
  'http://:PORT/',
  'http://127.0.0.1:99999/',
  'http://[::1/',
  'http://public.test:PORT:PORT/',
  '',
  'not a url',
  '\0',
]

describe('a guarded request', () => {
  it('the list holds more than 100 attempts', () => {
    expect(new Set(ATTEMPTS).size).toBeGreaterThan(100)
  })

  it.each(ATTEMPTS)('a guarded request does not reach a private address through %j', async attempt => {
    await using victim = await openWebServer((_, response) => response.end('secret'))
    const url = attempt.replaceAll('PORT', String(victim.port))
    const { code, message } = await refusalOf(
      guardedRequest(url, { guard: createNetworkGuard({ lookup }), timeoutMs: 60_000 }),
    )
    expect(code).toBe('url-refused')
    expect(message).not.toContain('secret')
    expect(message).not.toContain('pass@')
    expect(victim.requests).toEqual([])
  })

  it.each([
    'http://127.0.0.1:VICTIM/',
    '//127.0.0.1:VICTIM/',
    'http://[::ffff:7f00:1]:VICTIM/',
    'http://2130706433:VICTIM/',
    'http://loop.test:VICTIM/',
    'file:///etc/passwd',
    'ftp://127.0.0.1:VICTIM/',
    'http://localhost:VICTIM/',
    'http://169.254.169.254/',
    'http://a:b@127.0.0.2:SELF/',
    'http://[',
    'http://127.0.0.2:VICTIM/',
    'gopher://x',
  ])('a guarded request does not follow a redirect to %s', async location => {
    await using victim = await openWebServer((_, response) => response.end('secret'))
    const target = location.replace('VICTIM', String(victim.port))
    await using server = await openWebServer(
      (request, response) => {
        const { port } = new URL(`http://${request.headers.host}`)
        response.writeHead(302, { location: target.replace('SELF', port) }).end()
      },
      { host: '127.0.0.2' },
    )
    const guard = createNetworkGuard({ allow: [`127.0.0.2:${server.port}`], lookup })
    expect(await refusalOf(guardedRequest(server.origin, { guard }))).toMatchObject({ code: 'url-refused' })
    expect(server.requests).toEqual(['/'])
    expect(victim.requests).toEqual([])
  })

  it('a guarded request connects to the address it judged, even if the name server answers differently a moment later', async () => {
    await using names = await openNameServer([['127.0.0.2'], ['127.0.0.1']])
    await using server = await openWebServer((_, response) => response.end('allowed'), { host: '127.0.0.2' })
    await using victim = await openWebServer((_, response) => response.end('secret'), { port: server.port })
    const guard = createNetworkGuard({ allow: ['127.0.0.2'], lookup: names.lookup })
    const url = `http://rebind.test:${server.port}/`
    expect((await guardedRequest(url, { guard })).body.toString()).toBe('allowed')
    expect(names.queries).toEqual(['rebind.test'])
    expect(await refusalOf(guardedRequest(url, { guard }))).toMatchObject({ code: 'url-refused', reason: 'forbidden' })
    expect(names.queries).toHaveLength(2)
    expect(victim.requests).toEqual([])
  })

  it('a guarded request looks a name up again on a redirect and judges the new address', async () => {
    await using names = await openNameServer([['127.0.0.2'], ['127.0.0.1']])
    await using server = await openWebServer((_, response) => response.writeHead(307, { location: '/again' }).end(), {
      host: '127.0.0.2',
    })
    await using victim = await openWebServer((_, response) => response.end('secret'), { port: server.port })
    const guard = createNetworkGuard({ allow: ['127.0.0.2'], lookup: names.lookup })
    const refused = await refusalOf(guardedRequest(`http://rebind.test:${server.port}/`, { guard }))
    expect(refused).toMatchObject({ code: 'url-refused' })
    expect(victim.requests).toEqual([])
  })
})

async function openScene(answer: Answer) {
  const server = await openWebServer(answer)
  const guard = createNetworkGuard({ allow: ['127.0.0.1'] })
  return { ...server, guard, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

describe('a response', () => {
  it('guardedRequest follows redirects and returns the final URL', async () => {
    await using scene = await openScene((request, response) => {
      const step = Number(request.url?.slice(1))
      if (step < 5) response.writeHead(301, { location: `${step + 1}` }).end()
      else response.writeHead(200, { 'content-type': 'Text/HTML; charset="UTF-8"' }).end('end')
    })
    const { guard, origin } = scene
    const response = await guardedRequest(`${origin}/0#part`, { guard })
    expect(response).toMatchObject({ url: `${origin}/5`, status: 200, contentType: 'text/html', charset: 'UTF-8' })
    expect(response.body.toString()).toBe('end')
    const refused = await refusalOf(guardedRequest(`${origin}/0`, { guard, maxRedirects: 4 }))
    expect(refused.message).toContain('more than 4 times')
  })

  it('guardedRequest does not send secret headers to another origin', async () => {
    const seen: unknown[] = []
    await using elsewhere = await openScene((request, response) => {
      seen.push(request.headers['x-key'], request.headers['user-agent'])
      response.end()
    })
    await using scene = await openScene((_, response) => response.writeHead(302, { location: elsewhere.origin }).end())
    await guardedRequest(scene.origin, { guard: scene.guard, headers: { 'x-key': 'secret', 'User-Agent': 'me' } })
    expect(seen).toEqual([undefined, 'me'])
  })

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('guardedRequest decompresses %s and stops at maxBytes', async (encoding, compress) => {
    await using scene = await openScene((request, response) => {
      const size = request.url === '/bomb' ? 50_000_000 : 5
      response.writeHead(200, { 'content-encoding': encoding }).end(compress(Buffer.alloc(size, 'a')))
    })
    const { guard, origin } = scene
    expect(await guardedRequest(origin, { guard })).toMatchObject({ body: Buffer.from('aaaaa'), truncated: false })
    const bomb = await guardedRequest(`${origin}/bomb`, { guard, maxBytes: 1_000 })
    expect(bomb).toMatchObject({ truncated: true, body: { length: 1_000 } })
  })

  it('guardedRequest cuts a body that never ends', async () => {
    await using scene = await openScene((_, response) => {
      const more = (): void => void response.write('x'.repeat(65_536), error => !error && more())
      more()
    })
    const response = await guardedRequest(scene.origin, { guard: scene.guard, maxBytes: 100_000 })
    expect(response).toMatchObject({ truncated: true, body: { length: 100_000 } })
  })

  it('guardedRequest fails at its timeout, also in the middle of headers or body', async () => {
    await using scene = await openScene((request, response) => {
      if (request.url === '/body') response.write('some')
    })
    await using headers = await openDribble()
    for (const url of [scene.origin, `${scene.origin}/body`, headers.origin]) {
      const refused = await refusalOf(guardedRequest(url, { guard: scene.guard, timeoutMs: 200 }))
      expect(refused).toMatchObject({ code: 'url-failed', message: expect.stringContaining('stopped after 200 ms') })
    }
  })

  it('guardedRequest stops waiting when its signal is aborted', async () => {
    const stop = new AbortController()
    await using scene = await openScene(() => stop.abort(new Error('enough')))
    await expect(guardedRequest(scene.origin, { guard: scene.guard, signal: stop.signal })).rejects.toThrow('enough')
    const waiting = createNetworkGuard({ lookup: () => new Promise(() => {}) })
    const aborted = AbortSignal.abort(new Error('before'))
    await expect(guardedRequest('http://x.test', { guard: waiting, signal: aborted })).rejects.toThrow('before')
    const late = new AbortController()
    const stuck = guardedRequest('http://x.test', { guard: waiting, signal: late.signal })
    late.abort(new Error('late'))
    await expect(stuck).rejects.toThrow('late')
  })

  it('guardedRequest describes a broken response, a refused connection and an unknown name', async () => {
    await using scene = await openScene((request, response) => {
      if (request.url === '/reset') response.destroy()
      else response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip')
    })
    const { guard, origin } = scene
    expect((await refusalOf(guardedRequest(`${origin}/reset`, { guard }))).message).toContain('closed the connection')
    expect(await refusalOf(guardedRequest(`${origin}/x?key=hidden`, { guard }))).toMatchObject({ code: 'url-failed' })
    await using gone = await openScene(() => {})
    await gone[Symbol.asyncDispose]()
    expect((await refusalOf(guardedRequest(gone.origin, { guard }))).message).toContain('nothing answers')
    const unknown = await refusalOf(guardedRequest('http://nowhere.test/', { guard: createNetworkGuard({ lookup }) }))
    expect(unknown.message).toContain("no address for the name 'nowhere.test'")
  })

  it('guardedRequest does not read a body of an unwanted content type', async () => {
    await using scene = await openScene((_, response) =>
      response.writeHead(200, { 'content-type': 'video/mp4' }).write('x'),
    )
    const refused = await refusalOf(
      guardedRequest(scene.origin, { guard: scene.guard, accepts: type => type === 'text/html' }),
    )
    expect(refused.message).toContain("'video/mp4'")
  })
})

/** Starts a server that sends one header byte after another without end. */
async function openDribble(): Promise<AsyncDisposable & { readonly origin: string }> {
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.write('HTTP/1.1 200 OK\r\nx: ')
    const timer = setInterval(() => socket.write('x'), 20)
    socket.on('close', () => clearInterval(timer))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () => new Promise(resolve => server.close(() => resolve())),
  }
}

describe('the options allow and deny', () => {
  const check = (url: string, options = {}) =>
    refusalOf(Promise.resolve().then(() => createNetworkGuard(options).check(url)))

  it.each([
    ['http://localhost:3000/', ['localhost:3000'], 'none'],
    ['http://localhost:3001/', ['localhost:3000'], 'url-refused'],
    ['http://localhost:3001/', ['localhost'], 'none'],
    ['http://wiki.internal/', ['wiki.internal'], 'none'],
    ['http://a.wiki.internal/', ['wiki.internal'], 'url-refused'],
    ['http://10.1.2.3/', ['10.0.0.0/8'], 'none'],
    ['http://11.1.2.3:22/', ['11.1.2.3:22'], 'none'],
    ['http://[::1]:80/', ['::1'], 'none'],
    ['http://[::1]:81/', ['[::1]:80'], 'url-refused'],
    ['http://127.0.0.1/', ['127.0.0.1:80'], 'none'],
    ['https://127.0.0.1/', ['127.0.0.1:80'], 'url-refused'],
  ])('a guard answers %s with allow %j with the code %s', async (url, allow, code) => {
    expect((await check(url, { allow })).code).toBe(code)
  })

  it('a guard denies hosts with their subdomains, and addresses that names resolve to', async () => {
    expect((await check('http://a.bad.test/', { deny: ['bad.test'] })).code).toBe('url-refused')
    expect((await check('http://notbad.test/', { deny: ['bad.test'] })).code).toBe('none')
    const guard = createNetworkGuard({ deny: ['93.184.0.0/16'], lookup })
    expect((await refusalOf(guard.resolve(guard.check('http://public.test/')))).code).toBe('url-refused')
  })

  it.each(['', 'a b', 'http://x', 'x/y', '10.0.0.0/99', 'x@y'])('createNetworkGuard rejects %j as a rule', entry => {
    expect(() => createNetworkGuard({ allow: [entry] })).toThrow('allow.0')
  })

  it('a refusal shows no user name, password or query of the URL', async () => {
    const { message } = await check('http://me:hunter2@127.0.0.1/path?token=abc')
    expect(message).toContain('http://127.0.0.1/path')
    expect(message).not.toMatch(/hunter2|abc|me:/)
    expect((await check(`nonsense://u:hunter2@x y?token=abc`)).message).not.toMatch(/hunter2|abc/)
  })
})
