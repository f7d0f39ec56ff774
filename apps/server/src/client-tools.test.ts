import { HttpAgent } from '@ag-ui/client'
import { createAgentClient } from '@parley/agent-api'
import { defineTool } from '@parley/core'
import type { Script } from '@parley/testing'
import { DefaultChatTransport, readUIMessageStream, type UIMessage } from 'ai'
import OpenAI from 'openai'
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions'
import { describe, expect, it } from 'vitest'
import { covers } from './__fixtures__/client-cells.ts'
import { openTestServer } from './__fixtures__/open-test-server.ts'

const parameters = { type: 'object', properties: { of: { type: 'string' } }, required: ['of'] }
const script: Script = [{ toolCalls: [{ name: 'locate', input: { of: 'user' } }] }, 'You are in Bern.']

function sdk(url: string): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 })
}

describe('a function that a client of the openai SDK executes', () => {
  const tools: ChatCompletionTool[] = [{ type: 'function', function: { name: 'locate', parameters } }]

  it('the openai SDK executes a call of a chat completion, and its result continues the run once', async () => {
    await using served = await openTestServer({ script })
    const client = sdk(served.url)
    const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'Where am I?' }]
    const first = await client.chat.completions.create({ model: 'guide', messages, tools })
    const message = first.choices[0]?.message
    expect(first.choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { content: null } })
    const call = message?.tool_calls?.[0]
    expect(call).toMatchObject({ type: 'function', function: { name: 'locate', arguments: '{"of":"user"}' } })
    if (message === undefined || call === undefined) throw new Error('no call')
    messages.push(message, { role: 'tool', tool_call_id: call.id, content: 'Bern' })
    const second = await client.chat.completions.create({ model: 'guide', messages, tools })
    expect(second.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'You are in Bern.' } })
    const repeated = client.chat.completions.create({ model: 'guide', messages, tools })
    await expect(repeated).rejects.toMatchObject({ status: 409 })
    expect(await served.runtime.runs()).toHaveLength(1)
  })

  it('the openai SDK assembles a streamed call', async () => {
    await using served = await openTestServer({ script })
    const messages = [{ role: 'user' as const, content: 'Where am I?' }]
    const stream = sdk(served.url).chat.completions.stream({ model: 'guide', messages, tools })
    const { choices } = await stream.finalChatCompletion()
    expect(choices[0]).toMatchObject({ finish_reason: 'tool_calls' })
    expect(choices[0]?.message.tool_calls).toMatchObject([{ function: { arguments: '{"of":"user"}' } }])
  })

  it.each([false, true])(
    'the function-calling loop of the openai SDK runs to its end, with stream: %s',
    covers('openai SDK: client tools'),
    async stream => {
      const turns = ['Bern', 'Rome'].map(of => ({ toolCalls: [{ name: 'locate', input: { of } }] }))
      await using served = await openTestServer({ script: [...turns, 'Bern is north of Rome.'] })
      const asked: string[] = []
      const locate = ({ of }: { readonly of: string }): string => {
        asked.push(of)
        return `the position of ${of}`
      }
      const described = { name: 'locate', description: 'Locates.', parameters, parse: JSON.parse, function: locate }
      const body = {
        model: 'guide',
        messages: [{ role: 'user' as const, content: 'Which is north?' }],
        tools: [{ type: 'function' as const, function: described }],
      }
      const { completions } = sdk(served.url).chat
      const runner = stream ? completions.runTools({ ...body, stream }) : completions.runTools(body)
      expect(await runner.finalContent()).toBe('Bern is north of Rome.')
      expect(asked).toEqual(['Bern', 'Rome'])
      expect(await served.runtime.runs()).toMatchObject([{ status: 'completed' }])
    },
  )

  it.each(['previous_response_id', 'input'] as const)(
    'the openai SDK executes a call of a response and continues the run by %s',
    async way => {
      await using served = await openTestServer({ script })
      const client = sdk(served.url)
      const flat = [{ type: 'function' as const, name: 'locate', parameters, strict: false }]
      const first = await client.responses.create({ model: 'guide', input: 'Where am I?', tools: flat })
      const call = first.output.find(item => item.type === 'function_call')
      if (call === undefined) throw new Error('no call')
      expect(call).toMatchObject({ name: 'locate', arguments: '{"of":"user"}', status: 'completed' })
      const result = { type: 'function_call_output' as const, call_id: call.call_id, output: 'Bern' }
      const given = way === 'input' ? { input: [call, result] } : { input: [result], previous_response_id: first.id }
      const second = await client.responses.create({ model: 'guide', tools: flat, ...given })
      expect(second.output_text).toBe('You are in Bern.')
    },
  )

  it.each<[string, object, string]>([
    ['a tool that is not a function', { type: 'web_search', function: { name: 'a' } }, 'tools.0'],
    ['a name with a space', { type: 'function', function: { name: 'a b' } }, 'tools.0'],
    ['the name of a tool of the agent', { type: 'function', function: { name: 'weather' } }, 'tools.0.name'],
    ['an invalid schema', { type: 'function', function: { name: 'a', parameters: { type: 'text' } } }, 'tools.0'],
  ])('the server rejects a chat completion with %s with status 400', async (_, tool, path) => {
    await using served = await openTestServer()
    const messages = [{ role: 'user' as const, content: 'Hi' }]
    const call = sdk(served.url).chat.completions.create({
      model: 'guide',
      messages,
      tools: [tool as ChatCompletionTool],
    })
    await expect(call).rejects.toMatchObject({ status: 400, message: expect.stringContaining(path) as string })
  })

  it('a server that refuses tools of clients rejects them with status 400', async () => {
    await using served = await openTestServer({ script, clientTools: 'refuse' })
    const messages = [{ role: 'user' as const, content: 'Hi' }]
    const call = sdk(served.url).chat.completions.create({ model: 'guide', messages, tools })
    await expect(call).rejects.toMatchObject({ status: 400 })
  })
})

describe('a tool that an AI SDK chat executes', () => {
  it('an AI SDK chat receives the call as its own tool, and its output continues the run', async () => {
    const locate = defineTool({ name: 'locate', description: 'Where the user is.', input: parameters })
    await using served = await openTestServer({ script, agent: { tools: [locate] } })
    const transport = new DefaultChatTransport<UIMessage>({ api: `${served.url}/api/chat` })
    const messages: UIMessage[] = [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Where am I?' }] }]
    const options = {
      chatId: 'chat 1',
      messageId: undefined,
      abortSignal: undefined,
      trigger: 'submit-message',
    } as const
    let answer: UIMessage | undefined
    for await (const next of readUIMessageStream({ stream: await transport.sendMessages({ ...options, messages }) }))
      answer = next
    const part = answer?.parts.find(each => each.type === 'tool-locate')
    expect(part).toMatchObject({ state: 'input-available', input: { of: 'user' } })
    expect(part).not.toHaveProperty('providerExecuted', true)
    if (answer === undefined || part === undefined) throw new Error('no call')
    const parts = answer.parts.map(each =>
      each === part ? { ...part, state: 'output-available', output: 'Bern' } : each,
    ) as UIMessage['parts']
    const done: UIMessage = { ...answer, parts }
    const stream = await transport.sendMessages({ ...options, messages: [...messages, done] })
    for await (const next of readUIMessageStream({ stream, message: done })) answer = next
    expect(answer?.parts.filter(each => each.type === 'text').map(each => each.text)).toEqual(['You are in Bern.'])
    expect(answer?.parts.filter(each => each.type === 'tool-locate')).toHaveLength(1)
  })
})

describe('a tool that an AG-UI client executes', () => {
  it(
    'an AG-UI client executes a front-end tool, and its result continues the run',
    covers('AG-UI client: client tools'),
    async () => {
      await using served = await openTestServer({ script })
      const agent = new HttpAgent({ url: `${served.url}/ag-ui`, threadId: 't' })
      agent.addMessage({ id: 'u1', role: 'user', content: 'Where am I?' })
      const tools = [{ name: 'locate', description: 'Where the user is.', parameters }]
      await agent.runAgent({ tools })
      const call = agent.messages.flatMap(each => (each.role === 'assistant' ? (each.toolCalls ?? []) : []))[0]
      expect(call).toMatchObject({ function: { name: 'locate', arguments: '{"of":"user"}' } })
      expect(agent.messages.some(({ role }) => role === 'tool')).toBe(false)
      agent.addMessage({ id: 'r1', role: 'tool', toolCallId: call?.id ?? '', content: 'Bern' })
      await agent.runAgent({ tools })
      expect(agent.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'You are in Bern.' })
      expect(await served.runtime.runs()).toHaveLength(1)
    },
  )
})

describe('a tool that a client of the Agent API executes', () => {
  it('the Agent API sends a function_call, and takes its function_call_output', async () => {
    await using served = await openTestServer({ script })
    const client = createAgentClient({ baseUrl: served.url })
    const tools = [{ type: 'function', function: { name: 'locate', description: 'Where the user is.', parameters } }]
    const asked = await client.ask({
      input: [{ role: 'user', content: [{ type: 'text', text: 'Where am I?' }] }],
      session_id: 's',
      tools,
    })
    const call = asked.output?.find(({ type }) => type === 'function_call')
    expect(call?.content?.[0]).toMatchObject({ type: 'data', data: { name: 'locate', arguments: '{"of":"user"}' } })
    const data = call?.content?.[0]?.type === 'data' ? call.content[0].data : undefined
    const output = { call_id: String(data?.['call_id']), name: 'locate', output: 'Bern' }
    const answered = await client.ask({
      input: [{ role: 'tool', type: 'function_call_output', content: [{ type: 'data', data: output }] }],
      session_id: 's',
      tools,
    })
    expect(JSON.stringify(answered.output)).toContain('You are in Bern.')
    expect(await served.runtime.runs()).toHaveLength(1)
  })
})
