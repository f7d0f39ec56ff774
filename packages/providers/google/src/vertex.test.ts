import { GoogleGenAI } from '@google/genai'
import type { ModelEvent } from '@parley/core'
import { describe, expect, it, vi } from 'vitest'
import { createGoogle, type GoogleOptions } from './create-google.ts'

const place = { project: 'my-project', location: 'europe-west4' }
const STREAM = 'data: {"candidates":[{"content":{"parts":[{"text":"hi"}],"role":"model"},"finishReason":"STOP"}]}\n\n'
const hi = { role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }

interface Sent {
  readonly url: string
  readonly body: unknown
  readonly authorization: string | null
  readonly key: string | null
}

/** Creates a `fetch` for both clients. It records each request and always returns the same response. */
function recorder(answer: string) {
  const sent: Sent[] = []
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const headers = new Headers(init?.headers)
    const body = JSON.parse(init?.body as string) as unknown
    const [authorization, key] = [headers.get('authorization'), headers.get('x-goog-api-key')]
    sent.push({ url: url as string, body, authorization, key })
    return new Response(answer, { headers: { 'content-type': 'application/json' } })
  }
  return { sent, fetch }
}

async function ask(options: GoogleOptions, model: string): Promise<ModelEvent[]> {
  const asked = createGoogle({ vertex: { ...place, accessToken: async () => 'token' }, ...options }).model(model)
  const request = { system: [], messages: [hi], tools: [], settings: { temperature: 0.5 } }
  const events: ModelEvent[] = []
  for await (const event of asked.stream(request, {})) events.push(event)
  return events
}

/** Runs the official client, which sends its requests with the global `fetch`. */
async function byOfficial<TResult>(
  answer: string,
  location: string,
  use: (client: GoogleGenAI) => Promise<TResult>,
): Promise<Sent | undefined> {
  const { sent, fetch } = recorder(answer)
  vi.stubGlobal('fetch', fetch)
  try {
    const authClient = { getRequestHeaders: async () => new Headers({ authorization: 'Bearer token' }) } as never
    await use(new GoogleGenAI({ vertexai: true, project: place.project, location, googleAuthOptions: { authClient } }))
  } finally {
    vi.unstubAllGlobals()
  }
  return sent[0]
}

describe('Gemini on Vertex AI', () => {
  it.each([
    ['europe-west4', 'gemini-2.0-flash'],
    ['global', 'gemini-2.0-flash'],
    ['us', 'meta/llama-x'],
    ['us-central1', 'publishers/google/models/x'],
  ])('Gemini requests on Vertex AI equal those of the official client: %s, %s', async (location, model) => {
    const { sent, fetch } = recorder(STREAM)
    expect(await ask({ fetch, vertex: { ...place, location, accessToken: 'token' } }, model)).toEqual([
      { type: 'text.delta', text: 'hi' },
      { type: 'finish', reason: 'stop' },
    ])
    const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
    const expected = await byOfficial(STREAM, location, async client => {
      const stream = await client.models.generateContentStream({ model, contents, config: { temperature: 0.5 } })
      for await (const chunk of stream) expect(chunk.text).toBe('hi')
    })
    expect(sent[0]).toEqual(expected)
    expect(sent[0]).toMatchObject({ authorization: 'Bearer token', key: null })
  })

  it('Gemini on Vertex AI requests one document for wire json', async () => {
    const { sent, fetch } = recorder(STREAM.slice('data: '.length))
    await ask({ fetch, wire: 'json' }, 'gemini-2.5-pro')
    expect(sent[0]?.url).toBe(
      'https://europe-west4-aiplatform.googleapis.com/v1beta1/projects/my-project/locations/europe-west4/publishers/google/models/gemini-2.5-pro:generateContent',
    )
  })

  it.each([
    ['text-embedding-005', '{"predictions":[{"embeddings":{"values":[1,2]}},{"embeddings":{"values":[3,4]}}]}', 1],
    ['gemini-embedding-001', '{"predictions":[{"embeddings":{"values":[1,2]}}]}', 2],
    ['gemini-embedding-2-preview', '{"embedding":{"values":[1,2]}}', 2],
  ])('embeddings on Vertex AI equal those of the official client: %s', async (model, answer, requests) => {
    const { sent, fetch } = recorder(answer)
    const provider = createGoogle({ vertex: { ...place, accessToken: 'token' }, fetch })
    const options = { taskType: 'RETRIEVAL_QUERY', title: 't', outputDimensionality: 2 }
    const vectors = await provider.embed({ model, input: ['a', 'b'], options })
    expect(vectors).toHaveLength(2)
    expect(sent).toHaveLength(requests)
    const contents = requests === 1 ? ['a', 'b'] : ['a']
    const expected = await byOfficial(answer, place.location, client =>
      client.models.embedContent({ model, contents, config: options }),
    )
    expect(sent[0]).toEqual(expected)
  })

  it('embed on Vertex AI fails unless there is a vector for each text', async () => {
    const { fetch } = recorder('{"predictions":[]}')
    const provider = createGoogle({ vertex: { ...place, accessToken: 'token' }, fetch })
    await expect(provider.embed({ model: 'text-embedding-005', input: ['a'] })).rejects.toMatchObject({
      code: 'model-stream',
    })
  })

  it('createGoogle on Vertex AI returns the limits of models without prices, and cannot list models', async () => {
    const provider = createGoogle({ vertex: { ...place, accessToken: 't' } })
    expect(provider.model('gemini-2.5-pro').info).toMatchObject({ contextWindow: 1_048_576 })
    expect(provider.model('gemini-2.5-pro').info.pricing).toBeUndefined()
    await expect(provider.listModels()).rejects.toMatchObject({ code: 'model-unsupported' })
  })

  it('createGoogle rejects apiKey together with vertex, and an invalid project or location', () => {
    const vertex = { ...place, accessToken: 't' }
    expect(() => createGoogle({ vertex, apiKey: 'k' })).toThrow(expect.objectContaining({ code: 'config-invalid' }))
    expect(() => createGoogle({ vertex: { ...vertex, project: 'a/b' } })).toThrow(/project/)
  })
})
