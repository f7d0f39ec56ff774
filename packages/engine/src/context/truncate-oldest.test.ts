import { userMessage, type Message } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { truncateOldest, type TruncateOldestOptions } from '../index.ts'
import { exchange, isDue, scopeOver, textsOf, toolTurn, type ScopeOptions } from './__fixtures__/scope-over.ts'
import { compactContext } from '../steps/context/compact.ts'
import { viewOf } from '../journal/overlay.ts'

const rule: Message = { role: 'system', content: 'Speak softly.' }
const messages = [...exchange('one', 'first'), rule, ...exchange('two', 'second'), userMessage('three')]

async function left(options: TruncateOldestOptions, scope: ScopeOptions = {}, said = messages): Promise<string[]> {
  const run = scopeOver(said, { context: truncateOldest(options), ...scope })
  if (isDue(run)) await compactContext(run, { turn: 1, trigger: 'due' })
  return textsOf(viewOf(run.state))
}

describe('truncateOldest', () => {
  it('drops the oldest until three quarters of the bound are left, and keeps instructions', async () => {
    expect(await left({ maxMessages: 5 })).toEqual(['system: Speak softly.', 'user: three'])
    expect(await left({ maxTokens: 59 })).toEqual(['system: Speak softly.', 'user: three'])
    expect(await left({ maxMessages: 6 })).toHaveLength(6)
  })

  it('drops instructions, too, when told to', async () => {
    expect(await left({ maxMessages: 5, keepSystem: false })).toEqual(['user: two', 'assistant: second', 'user: three'])
  })

  it('keeps so many messages even when they are too much', async () => {
    expect(await left({ maxTokens: 20, minMessages: 4 })).toEqual([
      'system: Speak softly.',
      'user: two',
      'assistant: second',
      'user: three',
    ])
  })

  it('keeps the request that the work in progress is for', async () => {
    const work = [userMessage('the task'), ...[1, 2, 3, 4].flatMap(index => toolTurn(`${index}`, `found ${index}`))]
    expect(await left({ maxMessages: 8 }, {}, [...messages, ...work])).toEqual([
      'system: Speak softly.',
      'user: the task',
      'assistant: ',
      'tool: found 3',
      'assistant: ',
      'tool: found 4',
    ])
  })

  it('leaves room for the answer the settings ask for', async () => {
    const window = { contextWindow: 200 }
    expect(await left({}, window)).toHaveLength(6)
    expect((await left({}, { ...window, settings: { maxOutputTokens: 150 } })).length).toBeLessThan(5)
  })
})
