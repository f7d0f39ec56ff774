// Runs under the tested runtime and so must not import Node.js modules. Prints its results as JSON.
import { createAnthropic } from '@parley/anthropic'
import { defineTool, describeError, type Model } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { createGoogle } from '@parley/google'
import { createOllama } from '@parley/ollama'
import { createOpenAI } from '@parley/openai'

const url = process.argv[2] ?? ''
const apiKey = 'key-of-the-smoke-test'
const models: Readonly<Record<string, Model>> = {
  chat: createOpenAI({ baseUrl: `${url}/v1`, apiKey }).model('m'),
  responses: createOpenAI({ baseUrl: `${url}/v1`, apiKey, api: 'responses' }).model('m'),
  anthropic: createAnthropic({ baseUrl: `${url}/v1`, apiKey }).model('claude-haiku-4-5'),
  google: createGoogle({ baseUrl: `${url}/v1beta`, apiKey }).model('gemini-2.5-flash'),
  ollama: createOllama({ baseUrl: url }).model('qwen3'),
}
const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  input: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
  execute: input => String((input as { a: number; b: number }).a + (input as { a: number; b: number }).b),
})
const runtime = createRuntime()
const ask = (model: Model, signal?: AbortSignal) =>
  runtime.run(defineAgent({ name: 'adder', model, tools: [add] }), 'What is 2 + 3?', { signal })

const found: Record<string, unknown> = {}
for (const [name, model] of Object.entries(models)) {
  const results: string[] = []
  const run = ask(model)
  for await (const event of run) {
    if (event.type === 'tool.ended') results.push(...event.message.content.flatMap(part => ('text' in part ? part.text : [])))
  }
  const result = await run.result
  found[name] = result.status === 'completed' ? [...results, result.text] : result
}

const away = await ask(createOpenAI({ baseUrl: `${url}/away`, apiKey }).model('m')).result
found['redirect'] = away.status === 'failed' ? describeError(away.error) : away.status
const controller = new AbortController()
const hanging = ask(createOpenAI({ baseUrl: `${url}/hang`, apiKey }).model('m'), controller.signal)
setTimeout(() => controller.abort(), 50)
found['cancel'] = (await hanging.result).status
await runtime.close()
console.log(JSON.stringify(found))
