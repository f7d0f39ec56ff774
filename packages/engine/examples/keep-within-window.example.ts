// #region context
import { summarize } from '@parley/context-policies'
import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'

const cheap = scriptedModel(['The user is planning a trip to Oslo in May.'])
const model = scriptedModel(['Pack a raincoat.'])
const context = summarize({ model: cheap, maxTokens: 100, keepRecentTurns: 1, focus: 'dates and places' })
const agent = defineAgent({ name: 'assistant', model, context })

const history = ['I go to Oslo.', 'When?', 'In May. '.repeat(100), 'How nice!'].map((text, index) => ({
  role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
  content: [{ type: 'text' as const, text }],
}))
const run = createRuntime({ agents: [agent] }).run('assistant', 'What should I pack?', { history })
for await (const event of run) {
  if (event.type === 'context.compacted') console.log(event.before.messages, 'to', event.after.messages) // → 5 to 2
}
console.log((await run.result).messages.length) // → 6
// #endregion
