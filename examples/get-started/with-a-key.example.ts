// A local server answers instead of the provider, so that this example needs neither a key nor a network.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const answers = [
  { tool_calls: [{ index: 0, id: 'c1', function: { name: 'weather', arguments: '{"city":"Bern"}' } }] },
  { content: 'Take an umbrella.' },
]
const provider = createServer((_, response) => {
  const delta = answers.shift()
  const finish_reason = answers.length === 1 ? 'tool_calls' : 'stop'
  const events = [{ choices: [{ index: 0, delta }] }, { choices: [{ index: 0, delta: {}, finish_reason }] }]
  response.setHeader('content-type', 'text/event-stream')
  response.end(`${events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`)
})
await new Promise<void>(resolve => provider.listen(0, '127.0.0.1', resolve))
process.env['OPENAI_API_KEY'] = 'sk-example'
process.env['OPENAI_BASE_URL'] = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`

// #region agent
import { defineTool } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { createOpenAI } from '@parley/openai'
import * as z from 'zod'

const weather = defineTool({
  name: 'weather',
  description: 'Tells the weather of a city.',
  input: z.object({ city: z.string() }),
  effect: 'read',
  execute: ({ city }) => `It rains in ${city}.`,
})
const model = createOpenAI().model('gpt-5-mini') // reads OPENAI_API_KEY
const guide = defineAgent({ name: 'guide', model, tools: [weather], instructions: 'Answer in one sentence.' })

await using runtime = createRuntime({ agents: [guide] })
const { text } = await runtime.invoke('guide', 'Do I need an umbrella in Bern?')
console.log(text) // → Take an umbrella.
// #endregion
provider.closeAllConnections()
provider.close()
