// #region typed
import { defineTool } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing' // or: createOpenAI().model('gpt-5-mini') from '@parley/openai'
import * as z from 'zod'

const weather = defineTool({
  name: 'weather',
  description: 'Tells the weather of a city.',
  input: z.object({ city: z.string() }),
  output: z.object({ degrees: z.number() }),
  execute: () => ({ degrees: 21 }),
})
const model = scriptedModel([{ toolCalls: [{ name: 'weather', input: { city: 'Bern' } }] }, '{"warm":true}'])
const guide = defineAgent({ name: 'guide', model, tools: [weather], output: z.object({ warm: z.boolean() }) })

const runtime = createRuntime({ agents: [guide] })
const run = runtime.run('guide', 'Is it warm in Bern?')
for await (const event of run) {
  // `input` has the type { city: string }, and `structured` { degrees: number }.
  if (event.type === 'tool.started' && event.name === 'weather') console.log(event.input.city) // → Bern
  if (event.type === 'tool.ended' && event.name === 'weather') console.log(event.message.structured?.degrees) // → 21
}
const { output } = await run.orThrow()
console.log(output.warm) // → true
// #endregion
