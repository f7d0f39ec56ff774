import { ParleyError, type ModelEvent, type ModelRequest } from '@parley/core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createOllama, type OllamaOptions } from './create-ollama.ts'

const request: ModelRequest = {
  system: [],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
  tools: [],
  settings: {},
}

/** Creates a `fetch` that answers with `body` and records the requests. */
function recorder(status: number, body: string) {
  const sent: { readonly url: string; readonly headers: Headers; readonly body: unknown }[] = []
  const fetch: typeof globalThis.fetch = async (url, { headers, body: text } = {}) => {
    sent.push({ url: url as string, headers: new Headers(headers), body: text })
    return new Response(body, { status })
  }
  return { fetch, sent }
}

const LINE = '{"message":{"content":"hi"},"done":true,"done_reason":"stop"}\n'
const answer = [
  { type: 'text.delta', text: 'hi' },
  { type: 'finish', reason: 'stop' },
]

async function ask(options: OllamaOptions, signal?: AbortSignal): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of createOllama(options).model('qwen3').stream(request, { signal })) events.push(event)
  return events
}

async function failureOf(status: number, error: string): Promise<unknown> {
  const { fetch } = recorder(status, JSON.stringify({ error }))
  const thrown: unknown = await ask({ fetch, retry: { maxRetries: 0 } }).catch((each: unknown) => each)
  return ParleyError.is(thrown) ? thrown.info : thrown
}

describe('createOllama', () => {
  afterEach(() => void vi.unstubAllEnvs())

  it('createOllama requests a stream from this machine and emits the events of the answer', async () => {
    vi.stubEnv('OLLAMA_HOST', '')
    const { fetch, sent } = recorder(200, LINE)
    expect(await ask({ fetch, headers: { 'x-a': 'b' } })).toEqual(answer)
    expect(sent[0]?.url).toBe('http://127.0.0.1:11434/api/chat')
    expect(sent[0]?.headers.get('x-a')).toBe('b')
  })

  it('createOllama fails if the server truncated the conversation, unless overflow is truncate', async () => {
    const counted =
      '{"message":{"content":"hi"},"done":true,"done_reason":"stop","prompt_eval_count":8,"eval_count":1}\n'
    const { fetch } = recorder(200, counted)
    await expect(ask({ fetch, contextWindow: 8 })).rejects.toMatchObject({ code: 'model-context-length' })
    expect(await ask({ fetch, contextWindow: 8, overflow: 'truncate' })).toContainEqual(answer[1])
    expect(await ask({ fetch, contextWindow: 9 })).toContainEqual(answer[1])
    expect(await ask({ fetch })).toContainEqual(answer[1])
  })

  it('createOllama requests one document for wire json', async () => {
    const { fetch, sent } = recorder(200, LINE)
    expect(await ask({ fetch, wire: 'json', baseUrl: 'http://box:1/' })).toEqual(answer)
    expect(sent[0]?.url).toBe('http://box:1/api/chat')
    expect(sent[0]?.body).toContain('"stream":false')
  })

  it('createOllama sends a key of the environment only to ollama.com', async () => {
    vi.stubEnv('OLLAMA_API_KEY', 'key-of-mine')
    const { fetch, sent } = recorder(200, LINE)
    for (const baseUrl of ['https://ollama.com', 'http://127.0.0.1:1', 'https://notollama.com'])
      await ask({ fetch, baseUrl })
    await ask({ fetch, baseUrl: 'http://proxy.example', apiKey: 'given-key\n' })
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual([
      'Bearer key-of-mine',
      null,
      null,
      'Bearer given-key',
    ])
  })

  it('createOllama returns the requested context window, and facts that the options give', () => {
    const provider = createOllama({ name: 'mine', contextWindow: 8192, models: { big: { contextWindow: 9 } } })
    expect(provider.model('small')).toMatchObject({ provider: 'mine', id: 'small', info: { contextWindow: 8192 } })
    expect(provider.model('big').info).toEqual({ contextWindow: 9 })
    expect(createOllama().model('m').info).toEqual({})
    for (const contextWindow of [0, 1.5, Number.NaN]) expect(() => createOllama({ contextWindow })).toThrow(ParleyError)
  })

  it('createOllama lists models', async () => {
    const { fetch, sent } = recorder(200, '{"models":[{"model":"a","size":5}]}')
    expect(await createOllama({ fetch, baseUrl: 'http://box:1' }).listModels()).toEqual([{ id: 'a', sizeBytes: 5 }])
    expect(sent[0]?.url).toBe('http://box:1/api/tags')
  })

  it('createOllama fails with the code of the reported error', async () => {
    expect(await failureOf(404, "model 'qwen3' not found")).toMatchObject({
      code: 'model-not-found',
      provider: 'ollama',
      model: 'qwen3',
      detail: "model 'qwen3' not found",
    })
    expect(await failureOf(400, 'the input length exceeds the context length')).toMatchObject({
      code: 'model-context-length',
    })
    expect(await failureOf(400, '"qwen3" does not support thinking')).toMatchObject({ code: 'model-invalid-request' })
    expect(await failureOf(503, 'server busy')).toMatchObject({ code: 'model-overloaded' })
    const { fetch } = recorder(200, '{"error":"runner stopped"}\n')
    await expect(ask({ fetch, retry: { maxRetries: 0 } })).rejects.toMatchObject({
      info: { code: 'model-server', detail: 'runner stopped' },
    })
  })

  it('a call of createOllama throws the reason of the signal when it is aborted', async () => {
    const controller = new AbortController()
    const fetch: typeof globalThis.fetch = (_, { signal } = {}) => {
      queueMicrotask(() => controller.abort('enough'))
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))))
    }
    await expect(ask({ fetch }, AbortSignal.abort('early'))).rejects.toBe('early')
    await expect(ask({ fetch }, controller.signal)).rejects.toBe('enough')
  })
})
