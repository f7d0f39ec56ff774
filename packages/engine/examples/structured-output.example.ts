// #region structured-output
import { createRuntime, defineAgent, promptTemplate } from '@parley/engine'
import { scriptedModel } from '@parley/testing'
import * as z from 'zod'

const answer = { callId: 'c1', name: 'final_answer', input: { city: 'Paris', people: 2_100_000 } }
const model = scriptedModel([{ toolCalls: [answer] }])

const agent = defineAgent({
  name: 'geographer',
  model,
  instructions: promptTemplate({ template: 'Answer for {{reader}}.', variables: ['reader'], required: ['reader'] }),
  output: z.object({ city: z.string(), people: z.number() }),
  inputFilters: [
    {
      name: 'no-secrets',
      check: ({ content }) =>
        content.some(part => part.type === 'text' && part.text.includes('sk-'))
          ? { type: 'reject', reason: 'a key' }
          : 'pass',
    },
  ],
})
const runtime = createRuntime({ agents: [agent] })

const result = await runtime.run(agent, 'The capital of France?', { variables: { reader: 'a child' } }).result
if (result.status === 'completed') console.log(result.output.city, result.output.people) // → Paris 2100000

const refused = await runtime.run(agent, 'My key is sk-123', { variables: { reader: 'a child' } }).result
if (refused.status === 'rejected') console.log(refused.filter, refused.reason) // → no-secrets a key
// #endregion
