import { describe, expect, it } from 'vitest'
import { callTool } from '../__fixtures__/call-tool.ts'
import { openWebServer, type Answer } from '../__fixtures__/open-web-server.ts'
import { createNetworkGuard } from '../network/create-network-guard.ts'
import { createWebTools } from './create-web-tools.ts'

async function openScene(answer: Answer, options = {}) {
  const server = await openWebServer(answer)
  const tools = createWebTools({ guard: createNetworkGuard({ allow: ['127.0.0.1'] }), ...options })
  const call = (name: string, input: Readonly<Record<string, unknown>>) =>
    callTool(tools, name, { url: `${server.origin}/`, ...input })
  return { ...server, call, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

function send(type: string, body: string | Buffer, status = 200): Answer {
  return (_, response) => void response.writeHead(status, type === '' ? {} : { 'content-type': type }).end(body)
}

it('createWebTools creates tools of effect read, and web_search only with an engine', () => {
  const engine = { name: 'mine', search: async () => [] }
  expect(createWebTools().map(tool => tool.name)).toEqual(['fetch_url', 'read_webpage'])
  const tools = createWebTools({ engine })
  expect(tools.map(tool => tool.name)).toEqual(['fetch_url', 'read_webpage', 'web_search'])
  expect(tools.every(tool => tool.effect === 'read' && (tool.timeoutMs ?? 0) > 0)).toBe(true)
})

describe('fetch_url', () => {
  it('fetch_url returns text as it is, with the status, and keeps the query', async () => {
    await using scene = await openScene((request, response) => {
      response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify({ asked: request.url }))
    })
    const { ok, text, outcome } = await scene.call('fetch_url', { url: `${scene.origin}/a?b=c&d=%20` })
    expect(ok).toBe(true)
    expect(text).toContain('HTTP 404 application/json')
    expect(text).toContain('{"asked":"/a?b=c&d=%20"}')
    expect(outcome).toMatchObject({ structured: { status: 404, contentLength: 24, truncated: false } })
  })

  it('fetch_url returns a part without splitting a character and says how to continue', async () => {
    await using scene = await openScene(send('text/plain', `${'a'.repeat(99)}😀${'b'.repeat(50)}`))
    const first = await scene.call('fetch_url', { maxLength: 100 })
    expect(first.text).toMatch(/Continue with offset 99\.\]\n\na{99}$/)
    expect(first.outcome).toMatchObject({ structured: { truncated: true } })
    expect((await scene.call('fetch_url', { maxLength: 100, offset: 99 })).text).toMatch(/\n\n😀b{50}$/u)
    expect((await scene.call('fetch_url', { offset: 500 })).text).toContain('only 151 characters')
  })

  it('fetch_url stops at maxBytes and says so', async () => {
    await using scene = await openScene(send('text/plain', 'é'.repeat(1_000)), { maxBytes: 101 })
    const { text } = await scene.call('fetch_url', {})
    expect(text).toContain('longer than 101 bytes')
    expect(text).toContain('é'.repeat(50))
  })

  it.each([
    ['image/png', 'x', "'image/png', which cannot be read as text"],
    ['application/octet-stream', 'x', 'cannot be read as text'],
    ['', 'a\0b', 'binary'],
    ['text/plain', 'a\0b', 'binary'],
  ])('fetch_url refuses the content type %j with the body %j', async (type, body, words) => {
    await using scene = await openScene(send(type, body))
    const { ok, text } = await scene.call('fetch_url', {})
    expect(ok).toBe(false)
    expect(text).toContain(words)
  })

  it('fetch_url decodes other encodings than UTF-8', async () => {
    await using latin = await openScene(send('text/plain; charset=iso-8859-1', Buffer.from('caf\xe9', 'latin1')))
    expect((await latin.call('fetch_url', {})).text).toContain('café')
    await using wide = await openScene(send('text/plain', Buffer.from('\uFEFFwide', 'utf16le')))
    expect((await wide.call('fetch_url', {})).text).toContain('\n\nwide')
    await using unknown = await openScene(send('text/plain; charset=klingon', 'plain'))
    expect((await unknown.call('fetch_url', {})).text).toContain('plain')
  })

  it.each([
    ['nonsense', 'not a valid URL'],
    ['file:///etc/passwd', 'only http: and https:'],
    ['http://localhost/', 'not public'],
    ['http://[::ffff:7f00:2]/', 'not public'],
    ['http://user:pw@example.com/', 'Leave them out'],
  ])('fetch_url refuses %s and tells the model what to do instead', async (url, words) => {
    await using scene = await openScene(send('text/plain', ''))
    const { ok, text, outcome } = await scene.call('fetch_url', { url })
    expect(ok).toBe(false)
    expect(text).toContain(words)
    expect(outcome).toMatchObject({ type: 'error', error: { code: 'url-refused' }, retryable: false })
  })

  it('fetch_url fails at its timeout as retryable', async () => {
    await using scene = await openScene(() => {}, { timeoutMs: 150 })
    expect((await scene.call('fetch_url', {})).outcome).toMatchObject({ type: 'error', retryable: true })
  })

  it('fetch_url stops when its signal is aborted', async () => {
    const stop = new AbortController()
    await using scene = await openScene(() => stop.abort(new Error('enough')))
    await expect(scene.call('fetch_url', { signal: stop.signal })).rejects.toThrow('enough')
  })
})

describe('read_webpage', () => {
  it('read_webpage returns the page as Markdown', async () => {
    const html = '<meta charset="windows-1252"><title>T</title><h1>Caf\xe9</h1><a href="/x">y</a><script>no</script>'
    await using scene = await openScene(send('text/html', Buffer.from(html, 'latin1')))
    const { text, outcome } = await scene.call('read_webpage', {})
    expect(text).toBe(`T\n${scene.origin}/\n\n# Café\n\n[y](${scene.origin}/x)`)
    expect(outcome).toMatchObject({ structured: { title: 'T', truncated: false } })
  })

  it('read_webpage returns text that is not HTML as it is', async () => {
    await using scene = await openScene(send('text/plain', 'a <b> c'))
    expect((await scene.call('read_webpage', {})).text).toContain('a <b> c')
    await using untyped = await openScene(send('', ' <!DOCTYPE html><p>x</p>'))
    expect((await untyped.call('read_webpage', {})).text).toMatch(/\n\nx$/)
  })

  it('read_webpage continues at an offset', async () => {
    await using scene = await openScene(send('text/html', `<p>${'a'.repeat(150)}`))
    expect((await scene.call('read_webpage', { maxLength: 100 })).text).toContain('Continue with offset 100')
    expect((await scene.call('read_webpage', { maxLength: 100, offset: 100 })).text).toMatch(/\n\na{50}$/)
  })

  it.each([
    [404, false],
    [429, true],
    [503, true],
  ])('read_webpage fails for HTTP %d with retryable %s', async (status, retryable) => {
    await using scene = await openScene(send('text/html', '<p>sorry', status))
    const { outcome, text } = await scene.call('read_webpage', {})
    expect(outcome).toMatchObject({ type: 'error', retryable, metadata: { status } })
    expect(text).toContain('another source')
  })

  it('read_webpage reports a page without text', async () => {
    await using scene = await openScene(send('text/html', '<div id=app></div><script>go()</script>'))
    expect((await scene.call('read_webpage', {})).text).toContain('no text to read')
  })
})
