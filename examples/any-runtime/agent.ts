import { defineTool } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { createOpenAI } from '@parley/openai'
import * as z from 'zod'

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  input: z.object({ a: z.number(), b: z.number() }),
  effect: 'read',
  execute: ({ a, b }) => a + b,
})

/** Answers of a chat completions server: a call of the tool, then a text. */
const ANSWERS = [
  { tool_calls: [{ index: 0, id: 'c1', function: { name: 'add', arguments: '{"a":2,"b":3}' } }] },
  { content: 'It is 5.' },
]

/** Runs an agent with the APIs of the web only, so it runs in every runtime and in a browser. */
export async function answer(question: string): Promise<string> {
  let requests = 0
  const provider = createOpenAI({
    baseUrl: 'https://model.example/v1',
    apiKey: 'key-of-the-example',
    fetch: async () => {
      const delta = ANSWERS[requests++]
      const finish_reason = requests === 1 ? 'tool_calls' : 'stop'
      const events = [{ choices: [{ index: 0, delta }] }, { choices: [{ index: 0, delta: {}, finish_reason }] }]
      const body = events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('')
      return new Response(`${body}data: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } })
    },
  })
  await using runtime = createRuntime()
  const agent = defineAgent({ name: 'adder', model: provider.model('small'), tools: [add] })
  const { text, turns } = await runtime.invoke(agent, question)
  return `${text} (${turns} turns)`
}
