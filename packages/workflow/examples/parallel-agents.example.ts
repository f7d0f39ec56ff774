// #region parallel
import { createRuntime, defineAgent } from '@parley/engine'
import { bestOf, fanOut, createJudge } from '@parley/workflow/parallel'
import { scriptedModel } from '@parley/testing'

const agent = (name: string, ...answers: string[]) => defineAgent({ name, model: scriptedModel(answers) })
const runtime = createRuntime({
  agents: [agent('north', 'Snow.', 'It snows.'), agent('south', 'Sun.', 'It is sunny today.')],
})

const branches = ['north', 'south'].map(name => ({ agent: name, input: 'What is the weather?' }))
const weather = await fanOut(runtime, branches, {
  merge: results => results.flatMap(result => (result.status === 'completed' ? result.text : [])).join(' '),
})
console.log(weather.merged) // → Snow. Sun.

const strategy = createJudge({ model: scriptedModel(['2']), instructions: 'The most complete answer is the best.' })
const best = await bestOf(runtime, ['north', 'south'], { input: 'What is the weather?', strategy })
if (best.status === 'selected') console.log(best.winner.text) // → It is sunny today.
console.log(best.usage.candidates.input, best.usage.selection.input) // → 20 10
// #endregion
