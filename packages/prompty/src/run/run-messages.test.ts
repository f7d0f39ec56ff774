import { ParleyError } from '@parley/core'
import { scriptedModel, type ScriptStep } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createPrompty } from '../create-prompty.ts'
import { parsePrompty } from '../format/parse-prompty.ts'
import type { PromptyHost } from '../host/prompty-host.ts'
import type { PromptyProvider, ProviderConnection } from '../host/prompty-provider.ts'

function hostOf(
  script: readonly ScriptStep[],
  { provider = 'openai', host = {} }: { provider?: string; host?: PromptyHost } = {},
) {
  const model = scriptedModel(script, { provider })
  const connections: ProviderConnection[] = []
  const factory = (connection: ProviderConnection): PromptyProvider => {
    connections.push(connection)
    return {
      name: provider,
      model: () => model,
      embed: async ({ input }) => input.map(text => [text.length]),
      generateImages: async ({ prompt, options }) => [`${prompt} ${JSON.stringify(options)}`],
    }
  }
  return { prompty: createPrompty({ providers: { [provider]: factory }, ...host }), model, connections }
}

const file = (model: unknown, rest = ''): string => `---\nmodel: ${JSON.stringify(model)}\n${rest}---\nuser:\nhi`

describe('run', () => {
  it('run sends the options of the file, and additionalProperties never override them', async () => {
    const { prompty, model } = hostOf(['ok'])
    const options = {
      temperature: 0.5,
      maxOutputTokens: 9,
      topP: 0.8,
      seed: 3,
      stopSequences: ['E'],
      frequencyPenalty: 1,
      presencePenalty: 2,
      allowMultipleToolCalls: false,
      additionalProperties: { temperature: 9, service_tier: 'flex', model: 'other', stream: true },
    }
    await prompty.run(await parsePrompty(file({ id: 'm', options })), [])
    expect(model.requests[0]?.settings).toEqual({
      temperature: 0.5,
      maxOutputTokens: 9,
      topP: 0.8,
      seed: 3,
      stopSequences: ['E'],
      parallelToolCalls: false,
      providerOptions: { openai: { service_tier: 'flex', frequency_penalty: 1, presence_penalty: 2 } },
    })
  })

  it('run spells options for each provider, and sets the prescribed token limit for Anthropic', async () => {
    const options = { topK: 5, frequencyPenalty: 1 }
    const settings = async (provider: string): Promise<unknown> => {
      const { prompty, model } = hostOf(['ok'], { provider })
      await prompty.run(await parsePrompty(file({ id: 'm', provider, options })), [])
      return model.requests[0]?.settings
    }
    expect(await settings('anthropic')).toEqual({ maxOutputTokens: 4096, providerOptions: { anthropic: { top_k: 5 } } })
    expect(await settings('google')).toEqual({
      providerOptions: { google: { generationConfig: { topK: 5, frequencyPenalty: 1 } } },
    })
    expect(await settings('ollama')).toEqual({
      providerOptions: { ollama: { options: { top_k: 5, frequency_penalty: 1 } } },
    })
  })

  it('an option that the provider does not have is a warning', async () => {
    const agent = await parsePrompty(
      file({ id: 'm', provider: 'anthropic', options: { seed: 1, frequencyPenalty: 1 } }),
    )
    expect(agent.warnings).toEqual([
      expect.stringContaining('frequencyPenalty: anthropic does not have this option, so it is not sent.'),
    ])
  })

  it('run uses the API and the streaming mode of the file', async () => {
    const { prompty, connections } = hostOf(['a', 'b'])
    await prompty.run(
      await parsePrompty(file({ id: 'm', apiType: 'responses', options: { additionalProperties: { stream: true } } })),
      [],
    )
    await prompty.run(await parsePrompty(file('m')), [])
    expect(connections).toEqual([{ wire: 'stream', api: 'responses' }, { wire: 'json' }])
  })

  it('run returns requested tool calls without running them, and marks strict tools', async () => {
    const { prompty, model } = hostOf([{ toolCalls: [{ name: 'f', input: { a: 1 }, callId: 'c1' }] }])
    const tools = 'tools: [{ name: f, kind: function, strict: true, parameters: [{ name: a, kind: integer }] }]\n'
    expect(await prompty.run(await parsePrompty(file('m', tools)), [])).toEqual([
      { id: 'c1', name: 'f', arguments: '{"a":1}' },
    ])
    expect(model.requests[0]?.tools).toEqual([
      {
        name: 'f',
        description: '',
        strict: true,
        inputSchema: {
          type: 'object',
          properties: { a: { type: ['integer', 'null'] } },
          required: ['a'],
          additionalProperties: false,
        },
      },
    ])
  })

  it('run makes embeddings, and invoke makes images', async () => {
    const { prompty } = hostOf([])
    const text = (value: string) => ({ role: 'user' as const, content: [{ kind: 'text' as const, value }] })
    const embedding = await parsePrompty(file({ id: 'e', apiType: 'embedding' }))
    expect(await prompty.run(embedding, [text('abc')])).toEqual([3])
    expect(await prompty.run(embedding, [text('abc'), text('d')])).toEqual([[3], [1]])
    const image = await parsePrompty(
      file({ id: 'i', apiType: 'image', options: { additionalProperties: { size: 's' } } }),
    )
    expect(await prompty.invoke(image)).toBe('hi {"size":"s"}')
    await expect(prompty.executeAgent(image)).rejects.toThrow('must be chat or responses')
  })

  it('a conversation input may contain tool calls and results', async () => {
    const { prompty, model } = hostOf(['ok'])
    const agent = await parsePrompty('---\nmodel: m\ninputs: [{ name: t, kind: thread }]\n---\nuser:\nhi\n{{ t }}')
    const calls = [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }]
    await prompty.invoke(agent, {
      t: [
        { role: 'assistant', content: null, tool_calls: calls },
        { role: 'tool', tool_call_id: 'c1', content: 'r' },
      ],
    })
    expect(model.requests[0]?.messages.slice(1)).toEqual([
      { role: 'assistant', content: [{ type: 'tool-call', callId: 'c1', name: 'f', arguments: '{}' }] },
      { role: 'tool', callId: 'c1', name: 'f', content: [{ type: 'text', text: 'r' }] },
    ])
  })
})

describe('connections', () => {
  const connect = async (connection: unknown, host: PromptyHost = {}): Promise<ProviderConnection | string> => {
    const { prompty, connections } = hostOf(['ok'], { host })
    const failure: unknown = await prompty
      .run(await parsePrompty(file({ id: 'm', connection })), [])
      .catch((error: unknown) => error)
    if (ParleyError.is(failure)) return failure.message
    const { wire: _, ...found } = connections[0] ?? {}
    return found
  }

  it('a connection comes from the file, or from the host by name', async () => {
    expect(await connect({ kind: 'key', endpoint: 'https://x/v1', apiKey: 'k' })).toEqual({
      baseUrl: 'https://x/v1',
      apiKey: 'k',
    })
    expect(await connect({ kind: 'key', endpoint: 'https://x.openai.azure.com' })).toEqual({
      baseUrl: 'https://x.openai.azure.com/openai/v1',
    })
    const connections = { mine: { apiKey: 'h' }, vault: async () => ({ apiKey: 'v' }) }
    expect(await connect({ kind: 'reference', name: 'mine' }, { connections })).toEqual({ apiKey: 'h' })
    expect(await connect({ kind: 'remote', name: 'vault', endpoint: 'https://r' }, { connections })).toEqual({
      baseUrl: 'https://r',
      apiKey: 'v',
    })
    expect(await connect({ kind: 'vault' }, { connections })).toEqual({ apiKey: 'v' })
    expect(await connect({ kind: 'reference', name: 'constructor' }, { connections })).toContain(
      "requires the connection 'constructor', which this host does not have (known: mine, vault)",
    )
    expect(await connect({ kind: 'foundry', endpoint: 'https://f' })).toContain("requires the connection 'foundry'")
  })

  it('an oauth connection fetches a token, and its error does not show the secret', async () => {
    const oauth = {
      kind: 'oauth',
      endpoint: 'https://x',
      clientId: 'id',
      clientSecret: 's3cret',
      tokenUrl: 'https://auth/t',
      scopes: ['a', 'b'],
    }
    const seen: string[] = []
    const fetch = async (_url: unknown, init?: RequestInit): Promise<Response> => {
      seen.push(new URLSearchParams(init?.body as URLSearchParams).toString())
      return Response.json({ access_token: 'tok' })
    }
    expect(await connect(oauth, { fetch })).toEqual({ baseUrl: 'https://x', apiKey: 'tok' })
    expect(seen).toEqual(['grant_type=client_credentials&client_id=id&client_secret=s3cret&scope=a+b'])
    const refusing = async (): Promise<Response> => new Response('bad secret s3cret', { status: 401 })
    const failure = await connect(oauth, { fetch: refusing })
    expect(failure).toContain('auth sent no token (HTTP 401)')
    expect(failure).not.toContain('s3cret')
  })

  it('an error names the provider that the host does not have', async () => {
    const { prompty } = hostOf([])
    await expect(prompty.run(await parsePrompty(file({ id: 'm', provider: 'toString' })), [])).rejects.toThrow(
      "model.provider: is 'toString', which this host does not have (known: openai)",
    )
    await expect(prompty.run(await parsePrompty('user:\nhi'), [])).rejects.toThrow('model.id: is missing')
  })
})
