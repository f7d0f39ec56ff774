// #region tool
import { defineTool } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'

// Without `execute`, the client executes the tool.
const location = defineTool({ name: 'location', description: 'Where the user is.', input: { type: 'object' } })
const model = scriptedModel([{ toolCalls: [{ name: 'location', input: {} }] }, 'It rains in Bern.'])
const agent = defineAgent({ name: 'weather', model, tools: [location] })
const runtime = createRuntime({ agents: [agent], store: createMemoryStore() })

const waiting = await runtime.run('weather', 'Do I need an umbrella?').result
if (waiting.status !== 'suspended') throw new Error(waiting.status)
const [call] = waiting.clientCalls
console.log(call?.name) // → location
const run = await runtime.submitToolResult(waiting.runId, call?.callId ?? '', { city: 'Bern' })
console.log((await run.orThrow()).text) // → It rains in Bern.
// #endregion
