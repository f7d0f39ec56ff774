import { messageText, userMessage } from '@parley/core'
import { expect, it } from 'vitest'
import { Conversation, exchange, toolTurn } from './__fixtures__/conversation.ts'
import { summarize } from './summarize.ts'
import type { Summarizer } from './summarizer.ts'

const history = [
  ...exchange(`Find the file. ${'x'.repeat(1_000)}`, 'Which one?'),
  ...exchange('The red one.', 'It is there.'),
  ...exchange('Thanks.', 'You are welcome.'),
]

it('summarize includes the previous summary in the next one and keeps the request word for word', async () => {
  const asked: string[] = []
  const summary: Summarizer = ({ messages }) => {
    asked.push(messages.map(message => `${message.role}: ${messageText(message)}`).join(' | '))
    return `summary ${asked.length}`
  }
  const policy = summarize({ maxTokens: 400, keepRecentTurns: 2, summary })
  const conversation = new Conversation([...history, userMessage('Look into all of them.')])
  expect(await conversation.compact(policy)).toBe(true)
  for (const id of ['a', 'b', 'c']) conversation.say(...toolTurn(id, 'y'.repeat(100)))
  expect(await conversation.compact(policy)).toBe(true)
  expect(asked[1]).toMatch(/^user: \[Summary of the conversation so far\]\nsummary 1 \|/)
  expect(conversation.texts().map(text => text.slice(0, 48))).toEqual([
    'user: [Summary of the conversation so far]\nsumma',
    'user: Look into all of them.',
    'assistant: ',
    `tool: ${'y'.repeat(42)}`,
  ])
})

it('summarize cuts a summary that exceeds maxSummaryTokens', async () => {
  const policy = summarize({
    maxTokens: 900,
    maxSummaryTokens: 60,
    summary: () => 'word '.repeat(500),
    keepRecentTurns: 1,
  })
  const conversation = new Conversation([...history, userMessage('Go on.')])
  await conversation.compact(policy)
  const [text = ''] = conversation.texts()
  expect(text.length).toBeLessThan(80)
  expect(text).toMatch(/word.*…$/)
})
