import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'

const model = scriptedModel([{ toolCalls: [{ name: 'locate', input: {} }] }, 'It rains in Bern.'])
const agent = defineAgent({ name: 'assistant', model, clientTools: 'accept' })
const runtime = createRuntime({ agents: [agent], store: createMemoryStore() })
// #region client
import { agentApiStream, toRunInput } from '@parley/agent-api'
import { parseAgentRequest } from '@parley/agent-api/schema'

// The client sends a function, and receives its call as a message of the type function_call.
const tools = [{ type: 'function', function: { name: 'locate', parameters: { type: 'object' } } }]
const text = { type: 'text', text: 'Do I need an umbrella?' }
const asked = toRunInput(parseAgentRequest({ input: [{ role: 'user', content: [text] }], tools }))
const run = runtime.run('assistant', asked.input, { clientTools: asked.clientTools })
let callId = ''
for await (const event of agentApiStream(run))
  if (event.object === 'content' && event.type === 'data' && typeof event.data?.['call_id'] === 'string')
    callId = event.data['call_id']

// It executes the call and sends a function_call_output.
const data = { call_id: callId, output: 'Bern' }
const { results } = toRunInput(
  parseAgentRequest({ input: [{ role: 'tool', type: 'function_call_output', content: [{ type: 'data', data }] }] }),
)
for (const { callId, output } of results) {
  const resumed = await runtime.submitToolResult(run.runId, callId, output)
  console.log((await resumed.orThrow()).text) // → It rains in Bern.
}
// #endregion
await runtime.close()
