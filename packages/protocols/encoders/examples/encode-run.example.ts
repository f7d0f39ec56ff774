import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'
// #region encode
import { encodeRun } from '@parley/encoders'
import { createChatEncoder } from '@parley/encoders/openai-chat'

const agent = defineAgent({ name: 'assistant', model: scriptedModel(['Hello there.']) })
const run = createRuntime().run(agent, 'Hi')

const deltas: unknown[] = []
for await (const chunk of encodeRun(run, createChatEncoder({ model: 'assistant' })))
  if ('choices' in chunk) deltas.push(chunk.choices[0]?.delta.content)
console.log(deltas.join('|')) // → |Hello th|ere.|
// #endregion
