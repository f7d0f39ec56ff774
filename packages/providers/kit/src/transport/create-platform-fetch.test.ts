import { afterEach, describe, expect, it, vi } from 'vitest'
import { getGlobalDispatcher, MockAgent, setGlobalDispatcher } from 'undici'
import { serve } from '../__fixtures__/serve.ts'
import { createPlatformFetch } from './create-platform-fetch.ts'
import { getRequest } from '../__fixtures__/get-request.ts'

afterEach(() => vi.unstubAllGlobals())

describe('createPlatformFetch', () => {
  it('createPlatformFetch calls the dispatcher behind the fetch of Node.js', async () => {
    await using server = await serve(response => void response.end('yes'))
    const response = await createPlatformFetch()(server.url, getRequest)
    // If fetch itself had sent the request, the result would be a `Response`.
    expect(response).not.toBeInstanceOf(Response)
    expect(response.status).toBe(200)
    expect(server.requests[0]?.headers).toMatchObject({ 'x-a': 'b', 'user-agent': 'parley' })
  })

  it('createPlatformFetch uses a global dispatcher, even if it is set later', async () => {
    const fetch = createPlatformFetch()
    const before = getGlobalDispatcher()
    const mock = new MockAgent({ connections: 1 })
    mock.disableNetConnect()
    mock
      .get('http://model.example')
      .intercept({ path: '/v1' })
      .reply(201, 'mocked', { headers: { 'x-by': 'mock' } })
    setGlobalDispatcher(mock)
    try {
      const { status, headers, body } = await fetch('http://model.example/v1', getRequest)
      expect([status, headers.get('X-By')]).toEqual([201, 'mock'])
      const piece = await body?.getReader().read()
      expect(new TextDecoder().decode(piece?.value)).toBe('mocked')
    } finally {
      setGlobalDispatcher(before)
      await mock.close()
    }
  })

  it('createPlatformFetch uses a fetch that replaces the one of Node.js', async () => {
    const stub = vi.fn(() => Promise.resolve(new Response('stubbed')))
    vi.stubGlobal('fetch', stub)
    expect(createPlatformFetch()).toBe(stub)
  })

  it('createPlatformFetch reads a body at the pace of its reader', async () => {
    const piece = Buffer.alloc(64 * 1024)
    let written = 0
    await using server = await serve(response => {
      const write = (): void => {
        let goesOn = true
        for (; goesOn && written < 4_000; written++) goesOn = response.write(piece)
        if (written < 4_000) response.once('drain', write)
        else response.end()
      }
      write()
    })
    const reader = (await createPlatformFetch()(server.url, getRequest)).body?.getReader()
    // The server stops sending long before the body is complete.
    for (let before = -1; before !== written;) {
      before = written
      await new Promise(resolve => setTimeout(resolve, 500))
    }
    expect(written).toBeLessThan(1_000)
    let bytes = 0
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true }
      if (done) break
      bytes += value?.length ?? 0
    }
    expect(bytes).toBeGreaterThanOrEqual(4_000 * piece.length)
  })
})
