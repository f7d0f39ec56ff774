// #region run
import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'

const model = scriptedModel([{ toolCalls: [{ name: 'clock' }] }, 'It is noon.', 'Noon.', 'Still.'])
const clock = { name: 'clock', description: 'The time.', input: { type: 'object' }, execute: () => '12:00' }
const agent = defineAgent({ name: 'assistant', model, tools: [clock], limits: { maxTurns: 5 } })
const runtime = createRuntime({ agents: [agent] })

// The result of a completed run. Throws RunFailedError if the run fails, is cancelled, or waits for an answer.
const { text } = await runtime.invoke('assistant', 'What time is it?')
console.log(text) // → It is noon.

// The text while the model writes it. Throws RunFailedError at the end if the run did not complete.
for await (const piece of runtime.run('assistant', 'Sorry?').textStream) console.log(piece) // → Noon.

// Every event, and the result as data.
const run = runtime.run('assistant', 'And now?')
for await (const event of run) if (event.type === 'model.called') console.log(event.usage.output) // → 5
const result = await run.result
console.log(result.status === 'completed' ? result.text : result.partialText) // → Still.
// #endregion
