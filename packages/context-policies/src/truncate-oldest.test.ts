import { userMessage, type Message } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { Conversation, exchange, toolTurn } from './__fixtures__/conversation.ts'
import { truncateOldest, type TruncateOldestOptions } from './truncate-oldest.ts'

const rule: Message = { role: 'system', content: 'Speak softly.' }
const messages = [...exchange('one', 'first'), rule, ...exchange('two', 'second'), userMessage('three')]

async function left(options: TruncateOldestOptions, said = messages): Promise<string[]> {
  const conversation = new Conversation(said)
  const policy = truncateOldest(options)
  if (conversation.isDue(policy)) await conversation.compact(policy)
  return conversation.texts()
}

describe('truncateOldest', () => {
  it('truncateOldest drops the oldest messages until three quarters of the bound are left, and keeps system messages', async () => {
    expect(await left({ maxMessages: 5 })).toEqual(['system: Speak softly.', 'user: three'])
    expect(await left({ maxTokens: 59 })).toEqual(['system: Speak softly.', 'user: three'])
    expect(await left({ maxMessages: 6 })).toHaveLength(6)
  })

  it('truncateOldest drops system messages with keepSystem: false', async () => {
    expect(await left({ maxMessages: 5, keepSystem: false })).toEqual(['user: two', 'assistant: second', 'user: three'])
  })

  it('truncateOldest keeps minMessages messages even beyond the bound', async () => {
    expect(await left({ maxTokens: 20, minMessages: 4 })).toEqual([
      'system: Speak softly.',
      'user: two',
      'assistant: second',
      'user: three',
    ])
  })

  it('truncateOldest keeps the request that the remaining work is for', async () => {
    const work = [userMessage('the task'), ...[1, 2, 3, 4].flatMap(index => toolTurn(`${index}`, `found ${index}`))]
    expect(await left({ maxMessages: 8 }, [...messages, ...work])).toEqual([
      'system: Speak softly.',
      'user: the task',
      'assistant: ',
      'tool: found 3',
      'assistant: ',
      'tool: found 4',
    ])
  })
})
