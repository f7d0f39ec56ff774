import { AnthropicVertex } from '@anthropic-ai/vertex-sdk'
import type { ModelEvent } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { answers } from '../__fixtures__/answers.ts'
import { recordRequests, type RecordedRequest } from '../__fixtures__/record-requests.ts'
import { createAnthropic, type AnthropicOptions } from '../create-anthropic.ts'
import { createVertexPlatform } from './create-vertex-platform.ts'

// Headers that contain the version of the official client.
const SDK_VERSION = '2026-10-21'
const MODEL = 'claude-sonnet-4-5@20250929'
const place = { project: 'my-project', location: 'us-east5' }
const [bytes] = Object.values(answers)
const hi = { role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }

async function ours(options: AnthropicOptions, model = MODEL): Promise<ModelEvent[]> {
  const platform = createVertexPlatform({ ...place, accessToken: async () => 'token' })
  const asked = createAnthropic({ platform, retry: { maxRetries: 0 }, ...options }).model(model)
  const settings = { maxOutputTokens: 9, cache: 'off' } as const
  const events: ModelEvent[] = []
  for await (const event of asked.stream({ system: [], messages: [hi], tools: [], settings }, {})) events.push(event)
  return events
}

async function theirs(stream: boolean, betas: readonly string[]): Promise<RecordedRequest | undefined> {
  const { requests, fetch } = recordRequests('{}', 'application/json')
  const client = new AnthropicVertex({
    region: place.location,
    projectId: place.project,
    authClient: { getRequestHeaders: async () => new Headers({ authorization: 'Bearer token' }) } as never,
    defaultHeaders: betas.length === 0 ? {} : { 'anthropic-beta': betas.join(',') },
    fetch,
  })
  await client.messages.create({ model: MODEL, max_tokens: 9, messages: [hi], stream }).catch(() => undefined)
  return requests[0]
}

const compared = (request: RecordedRequest | undefined): unknown => ({
  method: request?.method.toUpperCase(),
  url: request?.url,
  body: JSON.parse(request?.body ?? 'null') as unknown,
  headers: ['authorization', 'content-type', 'anthropic-beta', 'anthropic-version', 'x-api-key'].map(
    name => request?.headers.get(name) ?? null,
  ),
})

describe('createVertexPlatform', () => {
  it.each([
    ['stream', []],
    ['stream', ['a', 'b']],
    ['json', []],
  ] as const)('Vertex requests equal those of the official client: %s, betas %j', async (wire, betas) => {
    const { requests, fetch } = recordRequests('', '')
    await ours({ wire, betas, version: SDK_VERSION, fetch }).catch(() => undefined)
    const expected = compared(await theirs(wire === 'stream', betas)) as { body: Record<string, unknown> }
    // The official client leaves out `stream: false`.
    expect(compared(requests[0])).toEqual({ ...expected, body: { ...expected.body, stream: wire === 'stream' } })
  })

  it('Vertex requests contain the version in the form of the platform', async () => {
    const { requests, fetch } = recordRequests('', '')
    await ours({ fetch }).catch(() => undefined)
    expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({ anthropic_version: 'vertex-2023-10-16' })
  })

  it('createAnthropic emits the answer of Vertex AI', async () => {
    const { fetch } = recordRequests(bytes ?? '', 'text/event-stream')
    const direct = createAnthropic({ apiKey: 'k', fetch }).model('claude-sonnet-4-5')
    const events: ModelEvent[] = []
    for await (const event of direct.stream({ system: [], messages: [hi], tools: [], settings: {} }, {}))
      events.push(event)
    expect(await ours({ fetch })).toEqual(events)
  })

  it('createAnthropic on Vertex AI returns the limits of models without prices, and cannot list models', async () => {
    const provider = createAnthropic({ platform: createVertexPlatform({ ...place, accessToken: 't' }) })
    expect(provider.model(MODEL).info).toEqual({
      contextWindow: 200_000,
      maxOutputTokens: 64_000,
      structuredOutput: 'schema',
    })
    await expect(provider.listModels()).rejects.toMatchObject({ code: 'model-unsupported' })
  })

  it('createAnthropic rejects apiKey together with a platform', () => {
    const platform = createVertexPlatform({ ...place, accessToken: 't' })
    expect(() => createAnthropic({ platform, apiKey: 'k' })).toThrow(
      expect.objectContaining({ code: 'config-invalid' }),
    )
  })

  it('a failed token function fails the call with model-network', async () => {
    const accessToken = (): Promise<string> => Promise.reject(new Error('no metadata server'))
    const { fetch, requests } = recordRequests('', '')
    await expect(ours({ platform: createVertexPlatform({ ...place, accessToken }), fetch })).rejects.toMatchObject({
      code: 'model-network',
    })
    expect(requests).toEqual([])
  })
})
