import { messageText, userMessage, type Model } from '@parley/core'
import { scriptedModel } from '@parley/testing'
import { expect, it } from 'vitest'
import { Conversation, exchange } from './__fixtures__/conversation.ts'
import { createModelSummary } from './create-model-summary.ts'
import { summarize } from './summarize.ts'

it("createModelSummary fits its request into the agent's window, or into the window of its own model", async () => {
  const summary = createModelSummary()
  const lengthFor = async (model: Model, asked?: Model): Promise<number> => {
    let length = 0
    await (asked === undefined ? summary : createModelSummary({ model: asked }))({
      messages: [userMessage('x'.repeat(50_000))],
      maxTokens: 100,
      focus: undefined,
      model,
      window: 2_000,
      signal: new AbortController().signal,
      count: () => 1,
      ask: async ({ messages }) => {
        length = messages.map(messageText).join('').length
        return { role: 'assistant', content: [{ type: 'text', text: 'Short.' }] }
      },
    })
    return length
  }
  const large = scriptedModel([], { info: { contextWindow: 100_000 } })
  const small = scriptedModel([], { info: { contextWindow: 1_000 } })
  expect(await lengthFor(large)).toBeGreaterThan(2_500)
  expect(await lengthFor(large)).toBeLessThan(3_300)
  expect(await lengthFor(large, small)).toBeLessThan(1_800)
})

it('createModelSummary fills at most half of the window with the conversation', async () => {
  const model = scriptedModel([], { info: { contextWindow: 1_000 } })
  const policy = summarize({ summary: createModelSummary({ model }), maxTokens: 900 })
  const conversation = new Conversation([...exchange('x'.repeat(50_000), 'y'.repeat(50_000)), userMessage('Go on.')])
  await conversation.compact(policy)
  const text = messageText(conversation.asked[0]?.messages[0] ?? userMessage(''))
  expect(text.length).toBeLessThan(1_700)
  expect(text).toContain('[…]')
})
