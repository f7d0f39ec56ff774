import { ParleyError, type ModelEvent, type ModelRequest, type ModelSettings } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { createOpenAI } from './create-openai.ts'

const weather = { name: 'weather', description: 'The weather.', inputSchema: { type: 'object', properties: {} } }

/** Calls a server at `baseUrl` that answers with these chunks. Returns the request and the events of the answer. */
async function talk(
  baseUrl: string,
  model: string,
  given: { chunks: readonly unknown[]; request?: Partial<ModelRequest> },
) {
  const { chunks, request = {} } = given
  const bodies: Record<string, unknown>[] = []
  const fetch: typeof globalThis.fetch = async (_, { body } = {}) => {
    bodies.push(JSON.parse(body as string) as Record<string, unknown>)
    return new Response(
      [...chunks.map(chunk => JSON.stringify(chunk)), '[DONE]'].map(data => `data: ${data}\n\n`).join(''),
    )
  }
  const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }]
  const asked = { system: [], messages, tools: [], settings: {}, ...request }
  const events: ModelEvent[] = []
  const provider = createOpenAI({ baseUrl, apiKey: 'k', fetch })
  for await (const event of provider.model(model).stream(asked, {})) events.push(event)
  return { sent: bodies[0], events, provider: provider.name }
}

const usage = { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 }
const counted = { type: 'usage', usage: { input: 12, output: 5, reasoning: 0, cacheRead: 0, cacheWrite: 0 } }
const settings: ModelSettings = { maxOutputTokens: 99, thinking: 'low' }

describe('Together', () => {
  const chunk = (delta: object, more: object = {}) => ({
    id: 'o1',
    object: 'chat.completion.chunk',
    model: 'm',
    choices: [{ index: 0, text: 'not read twice', logprobs: null, delta: { token_id: 7, ...delta }, ...more }],
  })

  it("createOpenAI reads Together's token ids, second text, thoughts in tags and two finishing chunks", async () => {
    const chunks = [
      chunk({ role: 'assistant', content: '<think>Hm' }),
      chunk({ content: '.</think>' }),
      chunk({ content: 'Fine' }),
      chunk({ content: '.' }, { finish_reason: 'eos' }),
      { ...chunk({ content: '' }, { finish_reason: 'eos' }), usage },
    ]
    const { events, sent, provider } = await talk('https://api.together.xyz/v1', 'm', { chunks, request: { settings } })
    expect(events).toEqual([
      { type: 'reasoning.delta', text: 'Hm' },
      { type: 'reasoning.delta', text: '.' },
      { type: 'text.delta', text: 'Fine' },
      { type: 'text.delta', text: '.' },
      counted,
      { type: 'finish', reason: 'stop' },
    ])
    expect(sent).toMatchObject({ max_tokens: 99, reasoning_effort: 'low', stream_options: { include_usage: true } })
    expect(provider).toBe('together')
  })
})

describe('Cerebras', () => {
  const baseUrl = 'https://api.cerebras.ai/v1'
  const chunk = (delta: object, more: object = {}) => ({ id: 'chatcmpl-1', choices: [{ index: 0, delta, ...more }] })

  it('createOpenAI sends Cerebras a system message and its own output limit, and reads its thoughts', async () => {
    const chunks = [
      chunk({ role: 'assistant', reasoning: 'Hm.' }),
      chunk({ content: 'Fine.' }),
      { ...chunk({}, { finish_reason: 'stop' }), usage, time_info: { queue_time: 0.1 } },
    ]
    const request = { settings, system: [{ text: 'Be brief.' }] }
    const { events, sent } = await talk(baseUrl, 'gpt-oss-120b', { chunks, request })
    expect(events).toEqual([
      { type: 'reasoning.delta', text: 'Hm.' },
      { type: 'text.delta', text: 'Fine.' },
      counted,
      { type: 'finish', reason: 'stop' },
    ])
    expect(sent).toMatchObject({
      max_completion_tokens: 99,
      reasoning_effort: 'low',
      messages: [{ role: 'system' }, {}],
    })
  })

  it('createOpenAI sends Cerebras schemas in their closed form', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } }
    const request = { settings: { output: { name: 'answer', schema } } }
    const { sent } = await talk(baseUrl, 'm', {
      chunks: [chunk({ content: '{}' }, { finish_reason: 'stop' })],
      request,
    })
    expect(sent).toMatchObject({
      response_format: { json_schema: { strict: true, schema: { additionalProperties: false, required: ['a'] } } },
    })
  })

  it.each([
    [400, '', 'model-context-length'],
    [413, '', 'model-context-length'],
    [400, '{"message":"bad tool"}', 'model-invalid-request'],
    [422, '', 'model-invalid-request'],
  ] as const)('status %s of Cerebras with the body "%s" means %s', async (status, body, code) => {
    const fetch: typeof globalThis.fetch = async () => new Response(body === '' ? null : body, { status })
    const request = { system: [], messages: [], tools: [], settings: {} }
    const codeAt = async (url: string): Promise<unknown> => {
      const stream = createOpenAI({ baseUrl: url, apiKey: 'k', fetch }).model('m').stream(request, {})
      const error: unknown = await stream[Symbol.asyncIterator]()
        .next()
        .catch((thrown: unknown) => thrown)
      return ParleyError.is(error) ? error.code : error
    }
    expect(await codeAt(baseUrl)).toBe(code)
    if (body === '') expect(await codeAt('https://api.groq.com/openai/v1')).toBe('model-invalid-request')
  })
})

describe('Groq', () => {
  it("createOpenAI separates Groq's raw thoughts from the answer", async () => {
    const chunks = [{ choices: [{ index: 0, delta: { content: '<think>Hm.</think>Yes.' }, finish_reason: 'stop' }] }]
    const { events } = await talk('https://api.groq.com/openai/v1', 'qwen/qwen3-32b', { chunks })
    expect(events.slice(0, 2)).toEqual([
      { type: 'reasoning.delta', text: 'Hm.' },
      { type: 'text.delta', text: 'Yes.' },
    ])
  })
})

describe('z.ai', () => {
  const baseUrl = 'https://api.z.ai/api/paas/v4'
  const chunk = (delta: object, more: object = {}) => ({
    id: 'z1',
    model: 'glm-4.7',
    choices: [{ index: 0, delta, ...more }],
  })

  it('createOpenAI sends z.ai its thinking switch and no tool choice', async () => {
    const call = { index: 0, id: 'call_z', type: 'function', function: { name: 'weather', arguments: '{}' } }
    const chunks = [
      chunk({ role: 'assistant', reasoning_content: 'Hm.' }),
      chunk({ role: 'assistant', tool_calls: [call] }),
      { ...chunk({ role: 'assistant', content: '' }, { finish_reason: 'tool_calls' }), usage },
    ]
    const request: Partial<ModelRequest> = { settings, tools: [weather], toolChoice: 'required' }
    const { events, sent } = await talk(baseUrl, 'glm-4.7', { chunks, request })
    expect(events.filter(({ type }) => type !== 'tool-call.start' && type !== 'tool-call.delta')).toEqual([
      { type: 'reasoning.delta', text: 'Hm.' },
      counted,
      { type: 'tool-call', callId: 'call_z', name: 'weather', arguments: '{}' },
      { type: 'finish', reason: 'tool-calls' },
    ])
    expect(sent).toMatchObject({ max_tokens: 99, thinking: { type: 'enabled' } })
    expect(sent).not.toHaveProperty('tool_choice')
    expect(sent).not.toHaveProperty('reasoning_effort')
  })

  it('createOpenAI sends z.ai its thoughts back during a tool loop', async () => {
    const messages: ModelRequest['messages'] = [
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'tool-call', callId: 'call_z', name: 'weather', arguments: '{}' },
        ],
      },
      { role: 'tool', callId: 'call_z', name: 'weather', content: [{ type: 'text', text: 'Rain.' }] },
    ]
    const chunks = [chunk({ content: 'Rain.' }, { finish_reason: 'stop' })]
    const { sent } = await talk(baseUrl, 'glm-4.7', { chunks, request: { messages, tools: [weather] } })
    expect(sent).toMatchObject({ messages: [{}, { reasoning_content: 'Hm.' }, { role: 'tool' }] })
  })

  it('createOpenAI sends z.ai free JSON, and rejects schemas', async () => {
    const chunks = [chunk({ content: '{}' }, { finish_reason: 'stop' })]
    const { sent } = await talk(baseUrl, 'glm-4.7', { chunks, request: { settings: { output: 'json' } } })
    expect(sent).toMatchObject({ response_format: { type: 'json_object' } })
    const output = { name: 'a', schema: { type: 'object' } }
    const held = talk(baseUrl, 'glm-4.7', { chunks, request: { settings: { output } } })
    await expect(held).rejects.toMatchObject({ info: { code: 'model-unsupported' } })
  })
})

describe('OpenRouter and xAI', () => {
  it.each([
    ['https://openrouter.ai/api/v1', { cost: 0.25 }],
    ['https://api.x.ai/v1', { cost_in_usd_ticks: 2_500_000_000 }],
  ])('createOpenAI reads the cost of a call at %s', async (baseUrl, cost) => {
    const chunks = [
      { choices: [{ index: 0, delta: { content: 'x' }, finish_reason: 'stop' }], usage: { ...usage, ...cost } },
    ]
    expect((await talk(baseUrl, 'm', { chunks })).events).toContainEqual({ ...counted, costUsd: 0.25 })
  })
})
