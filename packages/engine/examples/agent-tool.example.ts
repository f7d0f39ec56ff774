// #region agent-tool
import { agentTool, createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'

const researcher = defineAgent({
  name: 'researcher',
  description: 'Looks things up.',
  model: scriptedModel(['The tower is 330 m high.']),
})
const writer = defineAgent({
  name: 'writer',
  model: scriptedModel([
    { toolCalls: [{ name: 'researcher', input: { task: 'How high is it?' } }] },
    'It is 330 m high.',
  ]),
  tools: [agentTool(researcher, { limits: { maxTurns: 5 } })],
})

const run = createRuntime({ agents: [writer] }).run('writer', 'Write about the tower.')
for await (const event of run) {
  // A sub-agent's events have the id of its own run, and the path down to it.
  if (event.path.length > 0 && event.type === 'run.ended') console.log(event.outcome.status) // → completed
}
const { text, usage } = await run.orThrow()
console.log(text, usage.input) // → It is 330 m high. 30
// #endregion
