import { userMessage } from '@parley/core'
import { expect, it } from 'vitest'
import { Conversation, exchange } from './__fixtures__/conversation.ts'
import { summarize } from './summarize.ts'
import { turnDigest } from './turn-digest.ts'

const history = [
  ...exchange(`Find the file. ${'x'.repeat(1_000)}`, 'Which one?'),
  ...exchange('The red one.', 'It is there.'),
  ...exchange('Thanks.', 'You are welcome.'),
  userMessage('Go on.'),
]

it('turnDigest keeps user lines first and tells how many lines it left out', async () => {
  const policy = summarize({ maxTokens: 900, keepRecentTurns: 1, summary: turnDigest, focus: 'the file' })
  const conversation = new Conversation(history)
  await conversation.compact(policy)
  expect(conversation.texts()).toEqual([
    'user: [Summary of the conversation so far]\nFocus: the file\n[4 lines left out]\nUser: The red one.\nUser: Thanks.',
    'user: Go on.',
  ])
})

it('turnDigest includes the lines of the previous digest', async () => {
  const policy = summarize({ maxTokens: 900, keepRecentTurns: 1, summary: turnDigest })
  const conversation = new Conversation(history)
  await conversation.compact(policy)
  conversation.say(...exchange('And then?', 'y'.repeat(900)), userMessage('Last one.'))
  await conversation.compact(policy)
  const [text] = conversation.texts()
  expect(text).toContain('User: Thanks.\n')
  expect(text).toContain('User: And then?')
})
