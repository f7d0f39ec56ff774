// #region context
import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing' // or: createOpenAI().model('gpt-5-mini') from '@parley/openai'
import { createContextTools } from '@parley/tools/context'

const model = scriptedModel([
  { toolCalls: [{ name: 'manual', input: {} }] },
  { toolCalls: [{ name: 'trim_context', input: { tokens: 2_000, memo: 'The fuse is F7.' } }] },
  'It is fuse F7.',
])
const manual = {
  name: 'manual',
  description: 'The whole manual.',
  input: { type: 'object' },
  execute: () => 'Page after page. '.repeat(500),
}
const agent = defineAgent({ name: 'mechanic', model, tools: [manual, ...createContextTools()] })

const run = createRuntime({ agents: [agent] }).run(agent, 'Which fuse is it?')
for await (const event of run) {
  if (event.type === 'context.compacted') console.log(event.policy, event.before.messages, 'to', event.after.messages) // → trim_context 5 to 4
}
console.log((await run.orThrow()).text) // → It is fuse F7.
// #endregion context
