// The client executes `locate`, over each protocol of the server.
import { HttpAgent } from '@ag-ui/client'
import { createAgentClient } from '@parley/agent-api'
import { defineTool } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { openServer } from '@parley/server'
import { scriptedModel } from '@parley/testing'
import { DefaultChatTransport, readUIMessageStream, type UIMessage } from 'ai'
import OpenAI from 'openai'

const script = Array.from({ length: 5 }, () => [{ toolCalls: [{ name: 'locate', input: {} }] }, 'It rains in Bern.'])
const store = createMemoryStore()
const model = scriptedModel(script.flat())
// The clients of most protocols bring the tool. AI SDK chats execute tools that the agent defines without `execute`.
const locate = defineTool({ name: 'locate', description: 'Where the user is.', input: { type: 'object' } })
const agents = [defineAgent({ name: 'guide', model }), defineAgent({ name: 'chat', model, tools: [locate] })]
await using server = await openServer({ runtime: createRuntime({ agents, store }), port: 0 })
const parameters = { type: 'object', properties: {} }
const question = 'Do I need an umbrella?'

// The Agent API: a `function_call`, and its `function_call_output` in the same session.
const agentApi = createAgentClient({ baseUrl: server.url })
const tools = [{ type: 'function', function: { name: 'locate', parameters } }]
const asked = await agentApi.ask({
  input: [{ role: 'user', content: [{ type: 'text', text: question }] }],
  session_id: 'umbrella',
  tools,
})
const [part] = asked.output?.find(({ type }) => type === 'function_call')?.content ?? []
const callId = part?.type === 'data' ? String(part.data?.['call_id']) : ''
const answered = await agentApi.ask({
  input: [
    {
      role: 'tool',
      type: 'function_call_output',
      content: [{ type: 'data', data: { call_id: callId, output: 'Bern' } }],
    },
  ],
  session_id: 'umbrella',
  tools,
})
const [said] = answered.output?.at(-1)?.content ?? []
console.log(said?.type === 'text' && said.text) // → It rains in Bern.

// OpenAI Responses: a `function_call` item, and its `function_call_output`.
const openai = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none' })
const functions = [{ type: 'function' as const, name: 'locate', parameters, strict: false }]
const first = await openai.responses.create({ model: 'guide', input: question, tools: functions })
const item = first.output.find(each => each.type === 'function_call')
const second = await openai.responses.create({
  model: 'guide',
  previous_response_id: first.id,
  input: [{ type: 'function_call_output', call_id: item?.call_id ?? '', output: 'Bern' }],
  tools: functions,
})
console.log(second.output_text) // → It rains in Bern.

// Chat completions: the SDK executes the function and sends its result.
const runner = openai.chat.completions.runTools({
  model: 'guide',
  messages: [{ role: 'user', content: question }],
  tools: [
    {
      type: 'function',
      function: { name: 'locate', description: 'Where the user is.', parameters, function: () => 'Bern' },
    },
  ],
})
console.log(await runner.finalContent()) // → It rains in Bern.

// AI SDK UI: a tool part that waits for its output. `useChat` does this with `onToolCall` and `addToolOutput`.
const transport = new DefaultChatTransport<UIMessage>({ api: `${server.url}/api/chat/chat` })
const asking: UIMessage = { id: 'u1', role: 'user', parts: [{ type: 'text', text: question }] }
async function send(messages: UIMessage[], message?: UIMessage): Promise<UIMessage | undefined> {
  const options = {
    chatId: 'umbrella',
    messageId: undefined,
    abortSignal: undefined,
    trigger: 'submit-message',
  } as const
  const stream = await transport.sendMessages({ ...options, messages })
  let newest: UIMessage | undefined
  for await (const next of readUIMessageStream({ stream, ...(message === undefined ? {} : { message }) })) newest = next
  return newest
}
const waiting = await send([asking])
const parts = waiting?.parts.map(each =>
  each.type === 'tool-locate' ? { ...each, state: 'output-available', output: 'Bern' } : each,
) as UIMessage['parts']
const done: UIMessage = { id: waiting?.id ?? '', role: 'assistant', parts }
const answer = await send([asking, done], done)
console.log(answer?.parts.flatMap(each => (each.type === 'text' ? [each.text] : [])).join('')) // → It rains in Bern.

// AG-UI: a tool call, and a message of the role `tool` in the same thread.
const agUi = new HttpAgent({ url: `${server.url}/ag-ui`, threadId: 'thread' })
const frontEnd = { tools: [{ name: 'locate', description: 'Where the user is.', parameters }] }
agUi.addMessage({ id: 'u1', role: 'user', content: question })
await agUi.runAgent(frontEnd)
const call = agUi.messages.flatMap(each => (each.role === 'assistant' ? (each.toolCalls ?? []) : []))[0]
agUi.addMessage({ id: 'r1', role: 'tool', toolCallId: call?.id ?? '', content: 'Bern' })
await agUi.runAgent(frontEnd)
console.log(agUi.messages.at(-1)?.content) // → It rains in Bern.
