import { createOpenAI } from '@ai-sdk/openai'
import {
  HumanMessage,
  ToolMessage,
  type AIMessageChunk,
  type BaseMessage,
  type UsageMetadata,
} from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import type { Script } from '@parley/testing'
import { generateText, jsonSchema, isStepCount, streamText, tool } from 'ai'
import { describe, expect, it, vi } from 'vitest'
import { openTestServer } from './__fixtures__/open-test-server.ts'

const parameters = { type: 'object', properties: { of: { type: 'string' } }, required: ['of'] } as const
const turns = ['Bern', 'Rome'].map(of => ({ toolCalls: [{ name: 'locate', input: { of } }] }))
const locating: Script = [...turns, 'Bern is north of Rome.']

const aiSdk = (url: string) => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none' })
const langChain = (url: string) =>
  new ChatOpenAI({ model: 'guide', apiKey: 'none', maxRetries: 0, configuration: { baseURL: `${url}/v1` } })

describe('the AI SDK with its OpenAI provider', () => {
  it.each([
    ['chat', 'generateText'],
    ['chat', 'streamText'],
    ['responses', 'generateText'],
    ['responses', 'streamText'],
  ] as const)('the AI SDK executes its own tools over the %s API with %s, in one run', async (api, how) => {
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
  })

  it('the abort of streamText over the chat API cancels the run', async () => {
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
    await vi.waitFor(async () => expect(await cancelled()).toHaveLength(1), 10_000)
  })
})

describe('LangChain', () => {
  it('LangChain streams an answer and its token counts', async () => {
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

  it.each(['invoke', 'stream'] as const)('LangChain executes its own tools with %s, in one run', async how => {
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
    for (const of of ['Bern', 'Rome']) {
      expect(answer.tool_calls).toMatchObject([{ name: 'locate', args: { of } }])
      const tool_call_id = answer.tool_calls?.[0]?.id ?? ''
      messages.push(answer, new ToolMessage({ tool_call_id, content: `the position of ${of}` }))
      answer = await ask(messages)
    }
    expect(answer.text).toBe('Bern is north of Rome.')
    expect(await served.runtime.runs()).toMatchObject([{ status: 'completed' }])
  })
})
