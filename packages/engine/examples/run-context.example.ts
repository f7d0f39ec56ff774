// #region context
import { defineTool, type RunWith, type ToolContext } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing' // or: createOpenAI().model('gpt-5-mini') from '@parley/openai'
import * as z from 'zod'

const orders: Readonly<Record<string, string>> = { ada: 'a telescope', eve: 'a kettle' }
const lastOrder = defineTool({
  name: 'last_order',
  description: 'Finds the last order of the user.',
  input: z.object({}),
  execute: (_, { run }: ToolContext<{ userId: string }>) => orders[run.context.userId] ?? 'nothing',
})
const shop = defineAgent({
  name: 'shop',
  instructions: ({ context }: RunWith<{ language: string }>) => `Answer in ${context.language}.`,
  model: scriptedModel([{ toolCalls: [{ name: 'last_order' }] }, 'You ordered a telescope.']),
  tools: [lastOrder],
})

const run = createRuntime().run(shop, 'What did I order?', { context: { userId: 'ada', language: 'English' } })
for await (const event of run) {
  if (event.type === 'instructions.evaluated') console.log(event.text) // → Answer in English.
  if (event.type === 'tool.ended') console.log(event.message.content) // → [ { type: 'text', text: 'a telescope' } ]
}
// #endregion
