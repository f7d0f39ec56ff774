import type { Message, UserMessage } from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
import { expect, it } from 'vitest'
import { createRuntime, defineAgent } from '../index.ts'

const NOTHING: UserMessage = { role: 'user', content: [] }
const history: readonly Message[] = [
  { role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
  { role: 'assistant', content: [{ type: 'tool-call', callId: 'c', name: 'look', arguments: '{}' }] },
  { role: 'tool', callId: 'c', name: 'look', content: [{ type: 'text', text: 'sunny' }] },
]

it('a run without content in its input answers a history that ends in a tool result, and adds no message', async () => {
  const model = scriptedModel(['It is sunny.', 'Yes.'])
  const agent = defineAgent({ name: 'a', model })
  const runtime = createRuntime({ store: createMemoryStore() })
  const result = await runtime.run(agent, NOTHING, { history, sessionId: 's' }).result
  expect(result).toMatchObject({ status: 'completed', text: 'It is sunny.', turns: 1 })
  expect(model.requests[0]?.messages).toEqual(history)
  await runtime.run(agent, 'Sure?', { sessionId: 's' }).result
  expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
  ])
})

it.each<readonly Message[]>([
  [],
  history.slice(0, 1).concat({ role: 'assistant', content: [{ type: 'text', text: 'Sunny.' }] }),
])(
  'a run without content in its input completes without a model call if its history has nothing to answer (%j)',
  async (...given) => {
    const model = scriptedModel(['Never asked.'])
    const agent = defineAgent({ name: 'a', model })
    const result = await createRuntime().run(agent, NOTHING, { history: given }).result
    expect(result).toMatchObject({ status: 'completed', turns: 0 })
    expect(model.requests).toEqual([])
  },
)
