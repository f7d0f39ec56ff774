// #region eval
import { defineTool } from '@parley/core'
import { defineAgent } from '@parley/engine'
import { agentTask, calledTool, contains, defineEval, defineScorer } from '@parley/evals'
import { scriptedModel } from '@parley/testing'

const weather = defineTool({
  name: 'weather',
  description: 'Returns the weather of a city.',
  input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  effect: 'read',
  execute: () => 'Rain, 12 degrees.',
})

// Your model. This one is scripted, so that the example needs no key.
const model = scriptedModel(({ messages }) =>
  messages.some(({ role }) => role === 'tool')
    ? 'It rains.'
    : { toolCalls: [{ name: 'weather', input: { city: 'Bern' } }] },
)
const agent = defineAgent({ name: 'forecaster', model, tools: [weather] })

// A scorer of your own: a number from 0 to 1 or a boolean, and a reason for the report.
const isShort = defineScorer({
  name: 'isShort',
  score: ({ output }) => ({ score: String(output).length < 80, reason: `${String(output).length} characters` }),
})

export const forecast = defineEval({
  name: 'forecast',
  data: [
    { id: 'bern', input: 'Do I need an umbrella in Bern?', expected: 'rain' },
    { id: 'basel', input: 'Is it sunny in Basel?', expected: 'sunny' },
  ],
  task: agentTask(agent),
  scorers: [contains(), calledTool('weather', { city: 'Bern' }), isShort],
  trials: 2,
})
// #endregion

// #region run
import { runEval } from '@parley/evals'

const result = await runEval(forecast)
for (const { id, status, scores } of result.cases) console.log(id, status, Object.values(scores))
// → bern passed [ 1, 1, 1 ]
// → basel failed [ 0, 1, 1 ]
// #endregion
