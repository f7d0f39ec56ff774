import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { openServer } from '@parley/server'
import { scriptedModel } from '@parley/testing'

const agents = [defineAgent({ name: 'assistant', model: scriptedModel(['Hello Ada.']) })]
await using server = await openServer({ runtime: createRuntime({ agents, store: createMemoryStore() }), port: 0 })

// #region client
import { HttpAgent } from '@ag-ui/client'

const agent = new HttpAgent({ url: `${server.url}/ag-ui/assistant`, threadId: 'thread' })
agent.addMessage({ id: 'm1', role: 'user', content: 'I am Ada.' })
await agent.runAgent()
console.log(agent.messages.at(-1)?.content) // → Hello Ada.
// #endregion
