import { messageText } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'

const store = createMemoryStore()
const gate = Promise.withResolvers<string>()
const measure = { name: 'measure', description: 'Measures.', input: { type: 'object' }, execute: () => gate.promise }
const model = scriptedModel([{ toolCalls: [{ name: 'measure' }] }, 'It is 20 °C.'])
const run = createRuntime({ store, agents: [defineAgent({ name: 'a', model, tools: [measure] })] }).run(
  'a',
  'How warm?',
)
for await (const event of run) if (event.type === 'tool.started') break

// #region elsewhere
const elsewhere = createRuntime({ store }) // in another process: the same SQLite file or PostgreSQL database
await elsewhere.steer(run.runId, 'In Celsius, please.')
// #endregion
gate.resolve('68 °F')
await run.result
console.log(messageText(model.requests[1]?.messages.at(-1) ?? { role: 'user', content: [] })) // → In Celsius, please.
