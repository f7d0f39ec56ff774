// A run is read again without calling a model, and a branch starts from the middle of it with another question.
import { defineTool, messageText } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing' // or: createOpenAI().model('gpt-5-mini') from '@parley/openai'
import * as z from 'zod'

const stock = defineTool({
  name: 'stock',
  description: 'Returns how many pieces are left.',
  input: z.object({ article: z.string() }),
  effect: 'read',
  execute: () => '12',
})
const model = scriptedModel([
  { toolCalls: [{ name: 'stock', input: { article: 'A-7' } }] },
  'Twelve are left.',
  'Ein Dutzend.',
])
const agent = defineAgent({ name: 'clerk', model, tools: [stock] })
await using runtime = createRuntime({ agents: [agent], store: createMemoryStore() })
const first = await runtime.invoke('clerk', 'How many A-7 are left?')

// #region transcript
// Any process with the store reads the answer of a run that has ended:
const answer = (await runtime.transcript(first.runId)).at(-1)
console.log(answer && messageText(answer)) // → Twelve are left.
// #endregion
// #region replay
const types: string[] = []
let result = 0
for await (const event of runtime.replay(first.runId)) {
  types.push(event.type)
  if (event.type === 'tool.ended') result = event.seq
}
console.log(types.join(' '))
// → run.started message.appended model.called message.appended tool.started tool.ended model.called message.appended run.ended
// #endregion
// #region fork
const branch = await runtime.fork(first.runId, { at: result, input: 'Answer in German, please.' })
console.log((await branch.orThrow()).text) // → Ein Dutzend.
console.log(model.requests.length) // → 3
// #endregion
