import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { openServer } from '@parley/server'
import { scriptedModel } from '@parley/testing'

const model = scriptedModel([{ toolCalls: [{ name: 'locate', input: {} }] }, 'It rains in Bern.'])
const store = createMemoryStore()
const agents = [defineAgent({ name: 'assistant', model })]
await using server = await openServer({ runtime: createRuntime({ agents, store }), port: 0 })
// #region client
import OpenAI from 'openai'

const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none' })
// The SDK executes the function in this process and sends its result to the server, which continues the run.
const runner = client.chat.completions.runTools({
  model: 'assistant',
  messages: [{ role: 'user', content: 'Do I need an umbrella?' }],
  tools: [
    {
      type: 'function',
      function: { name: 'locate', description: 'Where the user is.', parameters: {}, function: () => 'Bern' },
    },
  ],
})
console.log(await runner.finalContent()) // → It rains in Bern.
// #endregion
