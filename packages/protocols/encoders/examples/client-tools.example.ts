import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'

const model = scriptedModel([{ toolCalls: [{ name: 'locate', input: {} }] }, 'It rains in Bern.'])
const agent = defineAgent({ name: 'assistant', model, clientTools: 'accept' })
const runtime = createRuntime({ agents: [agent], store: createMemoryStore() })
// #region client
import { collectRun } from '@parley/encoders'
import { createChatEncoder, parseChatRequest, toChatCompletion } from '@parley/encoders/openai-chat'

// The client sends a function, executes the call of the answer, and sends the result.
const tools = [{ type: 'function', function: { name: 'locate', parameters: { type: 'object' } } }]
const question = { role: 'user', content: 'Do I need an umbrella?' }
const asked = parseChatRequest({ model: 'assistant', messages: [question], tools })
const run = runtime.run('assistant', asked.input, { clientTools: asked.clientTools })
const completion = toChatCompletion(await collectRun(run, createChatEncoder({ model: 'assistant' })))
const [call] = 'choices' in completion ? (completion.choices[0]?.message.tool_calls ?? []) : []
console.log(call?.function.name) // → locate

const result = { role: 'tool', tool_call_id: call?.id, content: 'Bern' }
const { results } = parseChatRequest({ model: 'assistant', messages: [question, result], tools })
for (const { runId = '', callId, output } of results) {
  const resumed = await runtime.submitToolResult(runId, callId, output)
  console.log((await resumed.orThrow()).text) // → It rains in Bern.
}
// #endregion
await runtime.close()
