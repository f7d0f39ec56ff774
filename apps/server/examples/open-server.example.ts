// #region serve
import { createDemoModel } from '@parley/demo-model' // or: createOpenAI().model('gpt-5-mini') from '@parley/openai'
import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { hashApiKey, openServer } from '@parley/server'

const store = createMemoryStore()
const agents = [defineAgent({ name: 'assistant', model: createDemoModel() })]
const runtime = createRuntime({ agents, store })

// The server stores only the hash of a key. A client with the key sees the runs of its scope.
const keys = [{ name: 'alice', hash: hashApiKey('a-long-and-random-key') }]
const server = await openServer({ runtime, keys, port: 0 }) // any free port; name yours, for example 8080
process.once('SIGTERM', () => void server.close())
// #endregion
// #region ask
const response = await fetch(`${server.url}/process`, {
  method: 'POST',
  headers: { authorization: 'Bearer a-long-and-random-key' },
  body: JSON.stringify({ input: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }], stream: false }),
})
const { status } = (await response.json()) as { status: string }
console.log(response.status, status) // → 200 completed
// #endregion
await server.close()
