import { HttpAgent } from '@ag-ui/client'
import { createOpenAI } from '@ai-sdk/openai'
import { defineTool, toolOk } from '@parley/core'
import { scriptedModel, type Script } from '@parley/testing'
import { DefaultChatTransport, generateText, readUIMessageStream, streamText, type UIMessage } from 'ai'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { covers } from './__fixtures__/client-cells.ts'
import { openTestServer } from './__fixtures__/open-test-server.ts'

const loop: Script = [
  { reasoning: 'Look first.', text: 'Let me look. ', toolCalls: [{ name: 'weather', input: { city: 'Oslo' } }] },
  'Sunny.',
]
const paying: Script = [{ toolCalls: [{ name: 'pay', input: { sum: 3 } }] }, 'Paid.']
const overloaded = { code: 'model-overloaded', provider: 'scripted', detail: 'Try later.' } as const

function sdk(url: string): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 })
}

describe('the openai SDK', () => {
  it('the openai SDK creates a chat completion', async () => {
    await using served = await openTestServer({ script: loop })
    const completion = await sdk(served.url).chat.completions.create({
      model: 'guide',
      messages: [{ role: 'user', content: 'Weather?' }],
    })
    expect(completion.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { role: 'assistant', content: 'Let me look. Sunny.' },
    })
    expect(completion.usage).toMatchObject({ prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 })
  })

  it(
    'the openai SDK streams a chat completion whose last chunk has the token counts',
    covers('openai SDK: stream'),
    async () => {
      await using served = await openTestServer({ script: loop })
      const stream = sdk(served.url).chat.completions.stream({
        model: 'guide',
        messages: [{ role: 'user', content: 'Weather?' }],
        stream_options: { include_usage: true },
      })
      const completion = await stream.finalChatCompletion()
      expect(completion.choices[0]?.message.content).toBe('Let me look. Sunny.')
      expect(completion.usage?.total_tokens).toBe(30)
    },
  )

  it('the openai SDK throws the error that the stream contains', covers('openai SDK: failure'), async () => {
    await using served = await openTestServer({ script: [{ text: 'Well', error: overloaded }] })
    const chat = sdk(served.url).chat.completions
    const stream = await chat.create({ model: 'guide', stream: true, messages: [{ role: 'user', content: 'Hi' }] })
    const texts: (string | null | undefined)[] = []
    const read = async (): Promise<void> => {
      for await (const chunk of stream) texts.push(chunk.choices[0]?.delta.content)
    }
    await expect(read()).rejects.toMatchObject({ code: 'MODEL_EXECUTION_FAILED' })
    expect(texts.join('')).toBe('Well')
  })

  it('the openai SDK creates a response and retrieves it', covers('openai SDK: tools'), async () => {
    await using served = await openTestServer({ script: loop })
    const response = await sdk(served.url).responses.create({ model: 'guide', input: 'Weather?' })
    expect(response).toMatchObject({ status: 'completed', model: 'guide', output_text: 'Let me look. Sunny.' })
    expect(response.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'mcp_call', 'message'])
    expect(response.output[2]).toMatchObject({ name: 'weather', arguments: '{"city":"Oslo"}', output: 'sunny' })
    expect(response.usage?.total_tokens).toBe(30)
    expect(await sdk(served.url).responses.retrieve(response.id)).toMatchObject({
      id: response.id,
      output: response.output,
    })
  })

  it('the openai SDK assembles a streamed response from its events', async () => {
    await using served = await openTestServer({ script: loop })
    const stream = sdk(served.url).responses.stream({ model: 'guide', input: 'Weather?' })
    const types: string[] = []
    const numbers: number[] = []
    for await (const event of stream) {
      types.push(event.type)
      numbers.push(event.sequence_number)
    }
    const response = await stream.finalResponse()
    expect(numbers).toEqual(numbers.map((_, index) => index))
    expect(types.slice(0, 2)).toEqual(['response.created', 'response.in_progress'])
    expect(types.at(-1)).toBe('response.completed')
    expect(types).toContain('response.reasoning_summary_text.delta')
    expect(types).toContain('response.mcp_call_arguments.done')
    expect(response.output_text).toBe('Let me look. Sunny.')
  })

  it('the openai SDK continues a conversation by previous_response_id', async () => {
    await using served = await openTestServer({ script: ['One.', 'Two.', 'Three.'] })
    const { responses } = sdk(served.url)
    const first = await responses.create({ model: 'guide', input: 'a', conversation: 'talk' })
    const second = await responses.create({ model: 'guide', input: 'b', previous_response_id: first.id })
    expect(second).toMatchObject({ output_text: 'Two.', previous_response_id: first.id })
    const session = (await (await fetch(`${served.url}/sessions/talk`)).json()) as { runs: number }
    expect(session.runs).toBe(2)
  })

  it('the openai SDK approves a tool call', covers('openai SDK: approval yes'), async () => {
    await using served = await openTestServer({ script: paying })
    const { responses } = sdk(served.url)
    const first = await responses.create({ model: 'guide', input: 'Pay.' })
    const request = first.output.find(item => item.type === 'mcp_approval_request')
    expect(request).toMatchObject({ name: 'pay', arguments: '{"sum":3}' })
    const second = await responses.create({
      model: 'guide',
      previous_response_id: first.id,
      input: [{ type: 'mcp_approval_response', approval_request_id: request?.id ?? '', approve: true }],
    })
    expect(second.output_text).toBe('Paid.')
    expect(second.output[0]).toMatchObject({ type: 'mcp_call', status: 'completed', output: 'paid' })
  })

  it('the openai SDK starts a response in the background and cancels it', covers('openai SDK: stop'), async () => {
    await using served = await openTestServer({ script: [{ text: 'Long', hang: true }] })
    const { responses } = sdk(served.url)
    const begun = await responses.create({ model: 'guide', input: 'Go.', background: true })
    expect(begun.status).toBe('in_progress')
    expect((await responses.cancel(begun.id)).status).toBe('cancelled')
  })

  it.each([
    ['chat', { reasoning_effort: 'low' }, 'low'],
    ['responses', { reasoning: { effort: 'low' } }, 'low'],
    ['responses', { reasoning: { effort: 'none' } }, 'off'],
  ])('the openai SDK sets the effort of reasoning over the %s API: %j', async (api, effort, thinking) => {
    const model = scriptedModel(() => 'Fine.')
    await using served = await openTestServer({ agent: { model } })
    const client = sdk(served.url)
    const messages = [{ role: 'user' as const, content: 'Hi' }]
    if (api === 'chat') await client.chat.completions.create({ model: 'guide', messages, ...(effort as object) })
    else await client.responses.create({ model: 'guide', input: 'Hi', ...(effort as object) })
    expect(model.requests[0]?.settings).toMatchObject({ thinking })
  })

  it('the openai SDK is told what to use instead of conversations and compact', async () => {
    await using served = await openTestServer()
    await expect(sdk(served.url).conversations.create({})).rejects.toThrow(/404.*Send `conversation`/)
    const compact = await fetch(`${served.url}/v1/responses/compact`, { method: 'POST', body: '{}' })
    expect([compact.status, await compact.text()]).toEqual([404, expect.stringContaining('context policy')])
  })

  it('the openai SDK lists the agents as models', async () => {
    await using served = await openTestServer()
    expect((await sdk(served.url).models.list()).data.map(({ id }) => id)).toEqual(['guide'])
  })
})

describe('the AI SDK with its OpenAI provider', () => {
  const answer = { reasoning: 'Hm.', text: 'Hello there.' }

  it.each(['chat', 'responses'] as const)(
    'the AI SDK generates and streams text over the %s API',
    covers('AI SDK with its OpenAI provider: stream'),
    async api => {
      await using served = await openTestServer({ script: [answer, answer] })
      const provider = createOpenAI({ baseURL: `${served.url}/v1`, apiKey: 'none' })
      const model = provider[api]('guide')
      const whole = await generateText({ model, prompt: 'Hi' })
      expect(whole).toMatchObject({ text: 'Hello there.', finishReason: 'stop' })
      const stream = streamText({ model, prompt: 'Hi' })
      expect(await stream.text).toBe('Hello there.')
      expect((await stream.usage).totalTokens).toBe(15)
      if (api === 'responses') expect(await stream.reasoningText).toBe('Hm.')
    },
  )

  it(
    'the AI SDK receives the tool calls of the agent and their results',
    covers('AI SDK with its OpenAI provider: tools'),
    async () => {
      await using served = await openTestServer({ script: loop })
      const model = createOpenAI({ baseURL: `${served.url}/v1`, apiKey: 'none' }).responses('guide')
      const { text, content } = await generateText({ model, prompt: 'Weather?' })
      expect(text).toBe('Let me look. Sunny.')
      expect(content.map(({ type }) => type)).toContain('tool-result')
    },
  )
})

async function chat(url: string, messages: UIMessage[]): Promise<UIMessage> {
  const transport = new DefaultChatTransport({ api: `${url}/api/chat` })
  const stream = await transport.sendMessages({
    chatId: 'chat-1',
    messageId: undefined,
    abortSignal: undefined,
    trigger: 'submit-message',
    messages,
  })
  const last = messages.at(-1)
  let message: UIMessage | undefined
  const from = last?.role === 'assistant' ? { message: last } : {}
  for await (const each of readUIMessageStream({ stream, ...from, terminateOnError: true })) message = each
  if (message === undefined) throw new Error('the stream had no message')
  return message
}

const question: UIMessage = { id: 'q', role: 'user', parts: [{ type: 'text', text: 'Go.' }] }

describe('an AI SDK chat', () => {
  it('an AI SDK chat shows steps, reasoning, text and tool calls', async () => {
    await using served = await openTestServer({ script: loop })
    const { parts } = await chat(served.url, [question])
    expect(parts.map(({ type }) => type)).toEqual([
      'step-start',
      'reasoning',
      'text',
      'dynamic-tool',
      'step-start',
      'text',
    ])
    expect(parts[3]).toMatchObject({ toolName: 'weather', state: 'output-available', output: 'sunny' })
  })

  it('an AI SDK chat receives the structured output of a tool as a value', async () => {
    const report = { city: 'Oslo', degrees: [3, 4], note: null }
    const forecast = defineTool({
      name: 'forecast',
      description: 'Tells the weather.',
      input: { type: 'object' },
      execute: () => toolOk('Cold.', report),
    })
    const script: Script = [{ toolCalls: [{ name: 'forecast' }] }, 'Cold.']
    await using served = await openTestServer({ script, agent: { tools: [forecast] } })
    const { parts } = await chat(served.url, [question])
    expect(parts.find(part => part.type === 'dynamic-tool')).toMatchObject({
      state: 'output-available',
      output: report,
    })
  })

  it('an AI SDK chat approves a tool call, and the run continues', covers('useChat: approval yes'), async () => {
    await using served = await openTestServer({ script: paying })
    const asked = await chat(served.url, [question])
    const waiting = asked.parts.find(part => part.type === 'dynamic-tool')
    expect(waiting).toMatchObject({ state: 'approval-requested' })
    const parts = asked.parts.map(part =>
      part.type === 'dynamic-tool' && part.state === 'approval-requested'
        ? { ...part, state: 'approval-responded' as const, approval: { id: part.approval.id, approved: true } }
        : part,
    )
    const answered = await chat(served.url, [question, { ...asked, parts }])
    expect(answered.parts.filter(part => part.type === 'dynamic-tool').map(part => part.state)).toEqual([
      'output-available',
    ])
    expect(answered.parts.at(-1)).toMatchObject({ type: 'text', text: 'Paid.' })
  })

  it('an AI SDK chat throws the error of a failed run', async () => {
    await using served = await openTestServer({ script: [{ error: overloaded }] })
    await expect(chat(served.url, [question])).rejects.toThrow(/overloaded/i)
  })
})

describe('an AG-UI client', () => {
  async function run(url: string, resume?: { interruptId: string; approved: boolean }) {
    const agent = new HttpAgent({ url: `${url}/ag-ui`, threadId: 'thread-1' })
    agent.setMessages([{ id: 'q', role: 'user', content: 'Go.' }])
    const events: { type: string }[] = []
    const answer =
      resume === undefined
        ? {}
        : {
            resume: [
              { interruptId: resume.interruptId, status: 'resolved' as const, payload: { approved: resume.approved } },
            ],
          }
    await agent.runAgent(answer, { onEvent: ({ event }) => void events.push(event) })
    return { messages: agent.messages, events }
  }

  it(
    'an AG-UI client accepts the order of messages, steps and tool calls',
    covers('AG-UI client: stream', 'AG-UI client: tools'),
    async () => {
      await using served = await openTestServer({ script: loop })
      const { messages, events } = await run(served.url)
      expect(messages.filter(({ role }) => role === 'assistant').at(-1)).toMatchObject({ content: 'Sunny.' })
      expect(messages.find(({ role }) => role === 'tool')).toMatchObject({ content: 'sunny' })
      expect(events.at(0)?.type).toBe('RUN_STARTED')
      expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', threadId: 'thread-1', outcome: { type: 'success' } })
    },
  )

  it(
    'an AG-UI client approves a tool call by resolving its interrupt',
    covers('AG-UI client: approval yes'),
    async () => {
      await using served = await openTestServer({ script: paying })
      const asked = await run(served.url)
      const last = asked.events.at(-1) as unknown as { outcome: { interrupts: { id: string }[] } }
      const [interrupt] = last.outcome.interrupts
      const { messages } = await run(served.url, { interruptId: interrupt?.id ?? '', approved: true })
      expect(messages.at(-1)).toMatchObject({ content: 'Paid.' })
    },
  )

  it('an AG-UI client receives RUN_ERROR when a run fails', covers('AG-UI client: failure'), async () => {
    await using served = await openTestServer({ script: [{ error: overloaded }] })
    const { events } = await run(served.url)
    expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'MODEL_EXECUTION_FAILED' })
  })
})
