// #region run
import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'

const model = scriptedModel([{ toolCalls: [{ name: 'clock' }] }, 'It is noon.'])
const clock = { name: 'clock', description: 'The time.', input: { type: 'object' }, execute: () => '12:00' }
const agent = defineAgent({ name: 'assistant', model, tools: [clock], limits: { maxTurns: 5 } })

const run = createRuntime({ agents: [agent] }).run('assistant', 'What time is it?')
for await (const event of run) {
  if (event.type === 'tool.ended') console.log(event.name, event.error ?? 'ok') // → clock ok
}
const result = await run.result
if (result.status === 'completed') console.log(result.text) // → It is noon.
// #endregion
