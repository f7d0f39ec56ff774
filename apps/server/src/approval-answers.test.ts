import { HttpAgent } from '@ag-ui/client'
import { scriptedModel } from '@parley/testing'
import { DefaultChatTransport, readUIMessageStream, type UIMessage } from 'ai'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { covers } from './__fixtures__/client-cells.ts'
import { openTestServer } from './__fixtures__/open-test-server.ts'

/** A server whose agent asks to pay once and then answers. */
async function openPayingServer() {
  const model = scriptedModel([
    { toolCalls: [{ name: 'pay', input: { sum: 3 } }] },
    'Then not.',
    'Hello again.',
    'Hello there.',
  ])
  const served = await openTestServer({ agent: { model } })
  /** The messages with tool results that the model has read last. */
  const told = (): unknown => model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool')
  return { ...served, model, told }
}

const refused = [{ isError: true, content: [{ text: expect.stringContaining('too dear') as string }] }]

describe('a client that answers an approval', () => {
  it.each([false, true])(
    'the openai SDK refuses a call of a response, with stream: %s',
    covers('openai SDK: approval no'),
    async stream => {
      await using served = await openPayingServer()
      const { responses } = new OpenAI({ baseURL: `${served.url}/v1`, apiKey: 'none', maxRetries: 0 })
      const first = await responses.create({ model: 'guide', input: 'Pay.' })
      const request = first.output.find(item => item.type === 'mcp_approval_request')
      const approval_request_id = request?.id ?? ''
      const refusal = {
        type: 'mcp_approval_response',
        approval_request_id,
        approve: false,
        reason: 'too dear',
      } as const
      const body = { model: 'guide', previous_response_id: first.id, input: [refusal] }
      const second = stream ? await responses.stream(body).finalResponse() : await responses.create(body)
      expect(second).toMatchObject({ status: 'completed', output: [{ type: 'mcp_call', name: 'pay' }, {}] })
      expect(second.output[0]).toMatchObject({
        status: 'failed',
        arguments: '{"sum":3}',
        error: expect.stringContaining('too dear') as string,
      })
      expect(second.output.at(-1)).toMatchObject({ type: 'message', content: [{ text: 'Then not.' }] })
      expect(served.told()).toMatchObject(refused)
      const third = await responses.create({ model: 'guide', previous_response_id: second.id, input: 'Hello?' })
      expect(third.output_text).toBe('Hello again.')
    },
  )

  it(
    'an AI SDK chat shows a refused call as denied, with its input, and continues',
    covers('useChat: approval no'),
    async () => {
      await using served = await openPayingServer()
      const transport = new DefaultChatTransport({ api: `${served.url}/api/chat` })
      const send = async (messages: UIMessage[], chatId = 'chat-1'): Promise<UIMessage> => {
        const options = { chatId, messageId: undefined, abortSignal: undefined } as const
        const stream = await transport.sendMessages({ ...options, trigger: 'submit-message', messages })
        const last = messages.at(-1)
        const from = last?.role === 'assistant' ? { message: last } : {}
        let message: UIMessage | undefined
        for await (const each of readUIMessageStream({ stream, ...from, terminateOnError: true })) message = each
        if (message === undefined) throw new Error('the stream had no message')
        return message
      }
      const question: UIMessage = { id: 'q', role: 'user', parts: [{ type: 'text', text: 'Pay.' }] }
      const asked = await send([question])
      const parts = asked.parts.map(part =>
        part.type === 'dynamic-tool' && part.state === 'approval-requested'
          ? {
              ...part,
              state: 'approval-responded' as const,
              approval: { id: part.approval.id, approved: false, reason: 'too dear' },
            }
          : part,
      )
      const answered = await send([question, { ...asked, parts }])
      expect(answered.id).toBe(asked.id)
      expect(answered.parts.filter(part => part.type === 'dynamic-tool')).toMatchObject([
        {
          toolName: 'pay',
          state: 'output-denied',
          input: { sum: 3 },
          approval: { approved: false, reason: 'too dear' },
        },
      ])
      expect(answered.parts.at(-1)).toMatchObject({ type: 'text', text: 'Then not.' })
      expect(served.told()).toMatchObject(refused)
      const next: UIMessage = { id: 'q2', role: 'user', parts: [{ type: 'text', text: 'Hello?' }] }
      expect((await send([question, answered, next])).parts.at(-1)).toMatchObject({ text: 'Hello again.' })
      // A session without runs takes the messages of the chat as its history.
      expect((await send([question, answered, next], 'chat-2')).parts.at(-1)).toMatchObject({ text: 'Hello there.' })
      expect(served.told()).toMatchObject([{ isError: true, content: [{ text: 'too dear' }] }])
    },
  )

  it('an AG-UI client that keeps its messages has the arguments of an approved call once', async () => {
    await using served = await openPayingServer()
    const agent = new HttpAgent({ url: `${served.url}/ag-ui`, threadId: 'thread-1' })
    agent.addMessage({ id: 'q', role: 'user', content: 'Pay.' })
    await agent.runAgent()
    const interruptId = agent.pendingInterrupts[0]?.id ?? ''
    await agent.runAgent({ resume: [{ interruptId, status: 'resolved', payload: { approved: true } }] })
    const calls = agent.messages.flatMap(each => (each.role === 'assistant' ? (each.toolCalls ?? []) : []))
    expect(calls).toMatchObject([{ function: { name: 'pay', arguments: '{"sum":3}' } }])
    expect(agent.messages.find(({ role }) => role === 'tool')).toMatchObject({ content: 'paid' })
  })

  it.each([
    [
      'resolves its interrupt with approved: false',
      { status: 'resolved', payload: { approved: false, reason: 'too dear' } },
    ],
    ['cancels its interrupt', { status: 'cancelled' }],
  ] as const)(
    'an AG-UI client that %s refuses the call, and the run continues',
    covers('AG-UI client: approval no'),
    async (_, answer) => {
      await using served = await openPayingServer()
      const agent = new HttpAgent({ url: `${served.url}/ag-ui`, threadId: 'thread-1' })
      agent.addMessage({ id: 'q', role: 'user', content: 'Pay.' })
      await agent.runAgent()
      const [interrupt] = agent.pendingInterrupts
      await agent.runAgent({ resume: [{ interruptId: interrupt?.id ?? '', ...answer }] })
      const reason = answer.status === 'resolved' ? 'too dear' : 'The user refused.'
      const call = agent.messages.flatMap(each => (each.role === 'assistant' ? (each.toolCalls ?? []) : []))
      expect(call).toMatchObject([{ function: { name: 'pay', arguments: '{"sum":3}' } }])
      expect(agent.messages.filter(({ role }) => role === 'tool')).toMatchObject([
        { toolCallId: call[0]?.id, content: expect.stringContaining(reason) as string },
      ])
      expect(agent.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'Then not.' })
      expect(served.told()).toMatchObject([{ isError: true }])
      agent.addMessage({ id: 'q2', role: 'user', content: 'Hello?' })
      await agent.runAgent()
      expect(agent.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'Hello again.' })
    },
  )
})
