import { createOpenAI } from '@ai-sdk/openai'
import {
  HumanMessage,
  ToolMessage,
  type AIMessageChunk,
  type BaseMessage,
  type UsageMetadata,
} from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { scriptedModel, type Script } from '@parley/testing'
import {
  generateText,
  isStepCount,
  jsonSchema,
  streamText,
  tool,
  type ModelMessage,
  type ToolApprovalRequestOutput,
  type ToolSet,
} from 'ai'
import { describe, expect, it, vi } from 'vitest'
import { covers } from './__fixtures__/client-cells.ts'
import { openTestServer } from './__fixtures__/open-test-server.ts'

const parameters = { type: 'object', properties: { of: { type: 'string' } }, required: ['of'] } as const
const turns = ['Bern', 'Rome'].map(of => ({ toolCalls: [{ name: 'locate', input: { of } }] }))
const locating: Script = [...turns, 'Bern is north of Rome.']

const aiSdk = (url: string) => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none' })
const langChain = (url: string, useResponsesApi = false) =>
  new ChatOpenAI({
    model: 'guide',
    apiKey: 'none',
    maxRetries: 0,
    useResponsesApi,
    configuration: { baseURL: `${url}/v1` },
  })
const scope = 'default'
const paying: Script = [{ toolCalls: [{ name: 'pay', input: { sum: 3 } }] }, 'Done.']
const decisions = [
  [true, 'paid'],
  [false, 'The user refused.'],
] as const

describe('the AI SDK with its OpenAI provider', () => {
  it.each([
    ['chat', 'generateText'],
    ['chat', 'streamText'],
    ['responses', 'generateText'],
    ['responses', 'streamText'],
  ] as const)(
    'the AI SDK executes its own tools over the %s API with %s, in one run',
    covers('AI SDK with its OpenAI provider: client tools'),
    async (api, how) => {
      await using served = await openTestServer({ script: locating })
      const asked: string[] = []
      const locate = tool({
        description: 'Locates.',
        inputSchema: jsonSchema<{ of: string }>(parameters),
        execute: ({ of }) => {
          asked.push(of)
          return `the position of ${of}`
        },
      })
      const model = aiSdk(served.url)[api]('guide')
      const given = { model, prompt: 'Which is north?', tools: { locate }, stopWhen: isStepCount(5) }
      const text = how === 'generateText' ? (await generateText(given)).text : await streamText(given).text
      expect(text).toBe('Bern is north of Rome.')
      expect(asked).toEqual(['Bern', 'Rome'])
      expect(await served.runtime.runs()).toMatchObject([{ status: 'completed' }])
    },
  )

  it(
    'the abort of streamText over the chat API cancels the run',
    covers('AI SDK with its OpenAI provider: stop'),
    async () => {
      await using served = await openTestServer({ script: [{ text: 'The quick brown fox', hang: true }] })
      const stop = new AbortController()
      const { textStream } = streamText({
        model: aiSdk(served.url).chat('guide'),
        prompt: 'Go.',
        abortSignal: stop.signal,
      })
      let read = ''
      for await (const text of textStream) if ((read += text).endsWith('fox')) stop.abort()
      const cancelled = () => served.store.runs({ scope: 'default', status: 'cancelled' })
      await vi.waitFor(async () => expect(await cancelled()).toHaveLength(1), 30_000)
    },
  )
})

describe('the AI SDK and approvals', () => {
  const asked = (content: readonly { readonly type: string }[]) =>
    content.find(part => part.type === 'tool-approval-request') as ToolApprovalRequestOutput<ToolSet> | undefined

  it.each(decisions.flatMap(each => ([false, true] as const).map(stream => [...each, stream] as const)))(
    'the AI SDK answers an approval over the responses API with %s: %s, with stream: %s',
    covers('AI SDK with its OpenAI provider: approval yes', 'AI SDK with its OpenAI provider: approval no'),
    async (approved, words, stream) => {
      const script = scriptedModel(paying)
      await using served = await openTestServer({ agent: { model: script } })
      const model = aiSdk(served.url).responses('guide')
      const ask = async (messages: ModelMessage[]) => {
        if (!stream) return generateText({ model, messages })
        const { content, text, responseMessages } = streamText({ model, messages })
        return { content: await content, text: await text, responseMessages: await responseMessages }
      }
      const messages: ModelMessage[] = [{ role: 'user', content: 'Pay.' }]
      const first = await ask(messages)
      expect(asked(first.content)).toMatchObject({ toolCall: { toolName: 'mcp.pay', input: { sum: 3 } } })
      const { approvalId = '' } = asked(first.content) ?? {}
      messages.push(...first.responseMessages)
      messages.push({
        role: 'tool',
        content: [{ type: 'tool-approval-response', approvalId, approved, providerExecuted: true }],
      })
      expect((await ask(messages)).text).toBe('Done.')
      expect(JSON.stringify(script.requests.at(-1)?.messages.filter(({ role }) => role === 'tool'))).toContain(words)
      expect(await served.runtime.runs()).toMatchObject([{ status: 'completed' }])
    },
  )

  it('a chat completion cannot ask for approval, and the AI SDK throws that it cannot', async () => {
    await using served = await openTestServer({ script: paying })
    const model = aiSdk(served.url).chat('guide')
    const { fullStream } = streamText({ model, prompt: 'Pay.', maxRetries: 0, onError: () => {} })
    const errors: string[] = []
    for await (const part of fullStream) if (part.type === 'error') errors.push(String(part.error))
    expect(errors).toEqual([expect.stringMatching(/suspended for approval, and chat completions cannot approve it/)])
    expect(await served.store.runs({ scope })).toMatchObject([{ status: 'suspended' }])
  })

  it(
    'the AI SDK asks again after the same previousResponseId: a branch',
    covers('AI SDK with its OpenAI provider: regenerate'),
    async () => {
      await using served = await openTestServer({ script: ['One.', 'Two.', 'Three.'] })
      const model = aiSdk(served.url).responses('guide')
      const first = await generateText({ model, prompt: 'a' })
      const previousResponseId = first.providerMetadata?.['openai']?.['responseId'] as string
      const again = () => generateText({ model, prompt: 'b', providerOptions: { openai: { previousResponseId } } })
      expect([(await again()).text, (await again()).text]).toEqual(['Two.', 'Three.'])
      const [branch] = await served.store.runs({ scope })
      expect(JSON.stringify(await served.runtime.transcript(branch?.runId ?? ''))).toMatch(/"a".*One\..*"b".*Three\./)
    },
  )
})

describe('LangChain', () => {
  it('LangChain shows the calls of the agent and their results', covers('LangChain: tools'), async () => {
    const script: Script = [{ toolCalls: [{ name: 'weather', input: { city: 'Oslo' } }] }, 'Sunny.']
    await using served = await openTestServer({ script: [...script, ...script] })
    const answer = await langChain(served.url, true).invoke('Weather?')
    expect(answer.text).toBe('Sunny.')
    expect(answer.additional_kwargs['tool_outputs']).toMatchObject([
      { type: 'mcp_call', name: 'weather', arguments: '{"city":"Oslo"}', output: 'sunny', status: 'completed' },
    ])
    expect(answer.tool_calls).toEqual([])
    // A chat completion has the text only.
    expect((await langChain(served.url).invoke('Weather?')).text).toBe('Sunny.')
  })

  it.each(decisions)(
    'LangChain answers an approval over the responses API with %s: %s',
    covers('LangChain: approval yes', 'LangChain: approval no'),
    async (approve, words) => {
      const script = scriptedModel(paying)
      await using served = await openTestServer({ agent: { model: script } })
      const model = langChain(served.url, true)
      const first = await model.invoke('Pay.')
      const outputs = first.additional_kwargs['tool_outputs'] as readonly {
        readonly type: string
        readonly id: string
      }[]
      const request = outputs.find(({ type }) => type === 'mcp_approval_request')
      const answer = { type: 'mcp_approval_response', approval_request_id: request?.id, approve }
      const second = await model.invoke([new HumanMessage({ content: [answer] })], {
        previous_response_id: String(first.response_metadata['id']),
      })
      expect(second.text).toBe('Done.')
      expect(JSON.stringify(script.requests.at(-1)?.messages.filter(({ role }) => role === 'tool'))).toContain(words)
      expect(await served.runtime.runs()).toMatchObject([{ status: 'completed' }])
    },
  )

  it('the signal of LangChain cancels the run of its stream', covers('LangChain: stop'), async () => {
    await using served = await openTestServer({ script: [{ text: 'The quick brown fox', hang: true }] })
    const stop = new AbortController()
    let read = ''
    const reading = (async () => {
      const stream: AsyncIterable<AIMessageChunk> = await langChain(served.url).stream('Go.', { signal: stop.signal })
      for await (const chunk of stream) if ((read += chunk.text).endsWith('fox')) stop.abort()
    })()
    await expect(reading).rejects.toThrow(/abort/i)
    const cancelled = () => served.store.runs({ scope, status: 'cancelled' })
    await vi.waitFor(async () => expect(await cancelled()).toHaveLength(1), 30_000)
  })

  it(
    'LangChain asks again after the same previous_response_id: a branch',
    covers('LangChain: regenerate'),
    async () => {
      await using served = await openTestServer({ script: ['One.', 'Two.', 'Three.'] })
      const model = langChain(served.url, true)
      const first = await model.invoke('a')
      const again = () => model.invoke('b', { previous_response_id: String(first.response_metadata['id']) })
      expect([(await again()).text, (await again()).text]).toEqual(['Two.', 'Three.'])
      const [branch] = await served.store.runs({ scope })
      expect(JSON.stringify(await served.runtime.transcript(branch?.runId ?? ''))).toMatch(/"a".*One\..*"b".*Three\./)
    },
  )

  it('LangChain streams an answer and its token counts', covers('LangChain: stream'), async () => {
    await using served = await openTestServer({ script: ['The quick brown fox jumps.'] })
    const texts: string[] = []
    let tokens = 0
    const stream: AsyncIterable<AIMessageChunk> = await langChain(served.url).stream('Go.')
    for await (const chunk of stream) {
      texts.push(chunk.text)
      tokens += (chunk.usage_metadata as UsageMetadata | undefined)?.total_tokens ?? 0
    }
    expect(texts.join('')).toBe('The quick brown fox jumps.')
    expect(texts.filter(text => text !== '').length).toBeGreaterThan(1)
    expect(tokens).toBe(15)
  })

  it.each(['invoke', 'stream'] as const)(
    'LangChain executes its own tools with %s, in one run',
    covers('LangChain: client tools'),
    async how => {
      await using served = await openTestServer({ script: locating })
      const locate = { type: 'function' as const, function: { name: 'locate', description: 'Locates.', parameters } }
      const model = langChain(served.url).bindTools([locate])
      const ask = async (messages: BaseMessage[]): Promise<AIMessageChunk> => {
        if (how === 'invoke') return model.invoke(messages)
        let whole: AIMessageChunk | undefined
        const stream: AsyncIterable<AIMessageChunk> = await model.stream(messages)
        for await (const chunk of stream) whole = whole?.concat(chunk) ?? chunk
        if (whole === undefined) throw new Error('the stream had no chunk')
        return whole
      }
      const messages: BaseMessage[] = [new HumanMessage('Which is north?')]
      let answer = await ask(messages)
      for (const place of ['Bern', 'Rome']) {
        expect(answer.tool_calls).toMatchObject([{ name: 'locate', args: { of: place } }])
        const tool_call_id = answer.tool_calls?.[0]?.id ?? ''
        messages.push(answer, new ToolMessage({ tool_call_id, content: `the position of ${place}` }))
        answer = await ask(messages)
      }
      expect(answer.text).toBe('Bern is north of Rome.')
      expect(await served.runtime.runs()).toMatchObject([{ status: 'completed' }])
    },
  )
})
