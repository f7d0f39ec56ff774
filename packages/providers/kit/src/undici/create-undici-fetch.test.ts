import { Agent } from 'undici'
import { describe, expect, it } from 'vitest'
import { serve } from '../__fixtures__/serve.ts'
import type { HttpRequest } from '../transport/http-fetch.ts'
import { createUndiciFetch } from './create-undici-fetch.ts'

const post = (signal = new AbortController().signal): HttpRequest => ({
  method: 'POST',
  headers: new Headers({ 'x-a': 'b', accept: 'text/event-stream' }),
  body: '{}',
  signal,
  redirect: 'error',
  window: null,
})

describe('createUndiciFetch', () => {
  it('createUndiciFetch sends the request and the common headers', async () => {
    await using server = await serve(response => void response.end())
    const { ok, status, headers, body } = await createUndiciFetch()(`${server.url}/a?b=c`, post())
    expect({ ok, status, date: headers.get('Date'), none: headers.get('x-none') }).toEqual({
      ok: true,
      status: 200,
      date: expect.any(String),
      none: null,
    })
    expect(await body?.getReader().read()).toEqual({ done: true, value: undefined })
    const [request] = server.requests
    expect([request?.method, request?.url]).toEqual(['POST', '/v1/a?b=c'])
    expect(request?.headers).toMatchObject({ 'x-a': 'b', accept: 'text/event-stream', 'user-agent': 'parley' })
  })

  it('createUndiciFetch connects through the given dispatcher', async () => {
    await using server = await serve(response => void response.end())
    const dispatcher = new Agent()
    let connections = 0
    dispatcher.on('connect', () => connections++)
    await createUndiciFetch({ dispatcher })(server.url, post())
    await dispatcher.close()
    expect(connections).toBe(1)
    await expect(createUndiciFetch({ dispatcher })(server.url, post())).rejects.toThrow('fetch failed')
  })

  it('createUndiciFetch rejects at once if it is aborted before it is connected', async () => {
    const dispatcher = new Agent({ connect: () => undefined })
    const controller = new AbortController()
    const pending = createUndiciFetch({ dispatcher })('http://127.0.0.1:9/', post(controller.signal))
    controller.abort(new Error('enough'))
    await expect(pending).rejects.toThrow('enough')
    await expect(createUndiciFetch({ dispatcher })('http://127.0.0.1:9/', post(controller.signal))).rejects.toThrow(
      'enough',
    )
  })

  it('createUndiciFetch skips informational responses', async () => {
    await using server = await serve(response => {
      response.writeProcessing()
      response.writeHead(201).end('late')
    })
    expect(await createUndiciFetch()(server.url, post())).toMatchObject({ status: 201 })
  })

  it('createUndiciFetch rejects an answer with an unknown compression', async () => {
    await using server = await serve(response => {
      response.writeHead(200, { 'content-encoding': 'lzw' })
      response.end('x')
    })
    const error: unknown = await createUndiciFetch()(server.url, post()).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ message: 'fetch failed', cause: { message: expect.stringContaining('lzw') } })
  })
})
