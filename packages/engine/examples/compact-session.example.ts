import { summarize } from '@parley/context-policies'
import { createMemoryStore, createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'

const model = scriptedModel(['In May.', 'A raincoat.', 'A trip to Oslo in May.', 'Yes, and boots.'])
// #region compact
const agent = defineAgent({ name: 'assistant', model, context: summarize({ keepRecentTurns: 1 }) })
const runtime = createRuntime({ store: createMemoryStore(), agents: [agent] })
await runtime.invoke('assistant', 'When do I go to Oslo?', { sessionId: 's' })
await runtime.invoke('assistant', 'What should I pack?', { sessionId: 's' })

const compaction = await runtime.compact('s')
for await (const event of compaction) {
  if (event.type === 'context.compacted') console.log(event.before.messages, 'to', event.after.messages) // → 4 to 3
}
const { text } = await runtime.invoke('assistant', 'Is that all?', { sessionId: 's', settings: { temperature: 0 } })
console.log(text, model.requests.at(-1)?.messages.length) // → Yes, and boots. 4
// #endregion
