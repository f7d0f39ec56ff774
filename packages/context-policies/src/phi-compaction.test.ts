import { userMessage, type Message } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { Conversation, countTokens, exchange, toolTurn, type ConversationOptions } from './__fixtures__/conversation.ts'
import { phiCompaction, type PhiCompactionOptions } from './phi-compaction.ts'

/** Tells whether the policy is due for a conversation of this many tokens without instructions. */
function isDueAt(tokens: number, options: PhiCompactionOptions = {}): boolean {
  const rest = turns(20, 1_000)
  const first = userMessage('x'.repeat(tokens - 4 - countTokens(rest)))
  return new Conversation([first, ...rest]).isDue(phiCompaction(options))
}

/** Numbered turns: a question, and a call with its output. */
function turns(count: number, length: number): Message[] {
  return Array.from({ length: count }, (_, index) => [
    userMessage(`question ${index}`),
    ...toolTurn(`call ${index}`, `output ${index} ${'z'.repeat(length)}`),
  ]).flat()
}

async function compacted(messages: readonly Message[], options: PhiCompactionOptions, more: ConversationOptions = {}) {
  const conversation = new Conversation(messages, more)
  const changed = await conversation.compact(phiCompaction(options))
  return { changed, conversation, texts: conversation.texts() }
}

const questions = (texts: readonly string[]): string[] =>
  texts.filter(text => text.startsWith('user: question')).map(text => text.slice(15))

describe('phiCompaction', () => {
  it('phiCompaction is due above 81,000 tokens by default: a window of 100,000 and 4,000 for the instructions', () => {
    expect(isDueAt(81_000)).toBe(false)
    expect(isDueAt(81_001)).toBe(true)
  })

  it('phiCompaction is due above the limit that its options set', () => {
    // 200,000 × (0.8 − 0.1) − 10,000
    const options = {
      maxContextTokens: 200_000,
      systemPromptTokens: 10_000,
      compactAtPct: 0.8,
      compactBudgetThresholdPct: 0.1,
    }
    expect(isDueAt(130_000, options)).toBe(false)
    expect(isDueAt(130_001, options)).toBe(true)
  })

  it('phiCompaction changes nothing when it would save no tokens', async () => {
    const { changed } = await compacted([userMessage('x'.repeat(90_000))], {})
    expect(changed).toBe(false)
  })

  it('phiCompaction keeps the first 2 and the last 10 of 25 turns, cuts outputs to 50 lines and summarizes the 13 turns between', async () => {
    const output = Array.from({ length: 120 }, (_, line) => `line ${line}`).join('\n')
    const messages = Array.from({ length: 25 }, (_, index) => [
      userMessage(`question ${index} ${'x'.repeat(3_000)}`),
      ...toolTurn(`call ${index}`, output),
    ]).flat()
    const { texts, conversation } = await compacted(messages, {})
    expect(questions(texts).map(text => text.split(' ')[0])).toEqual([
      '0',
      '1',
      ...[15, 16, 17, 18, 19, 20, 21, 22, 23, 24].map(String),
    ])
    const summary = texts.filter(text => text.includes('[Summary'))
    expect(summary).toHaveLength(1)
    for (const index of [14, 13, 12, 11, 10, 9, 8, 7]) expect(summary[0]).toContain(`User: question ${index} `)
    expect(summary[0]).toMatch(/\[\d+ lines left out\]/)
    const outputs = texts.filter(text => text.startsWith('tool:'))
    // The first turns stay as they are, and so does what the model has not read yet.
    expect(outputs.map(text => text.split('\n').length)).toEqual([120, 120, ...Array<number>(9).fill(51), 120])
    expect(outputs[2]?.split('\n').slice(24, 27)).toEqual(['line 24', '[... 70 lines truncated ...]', 'line 95'])
    expect(conversation.tokens()).toBeLessThan(81_000)
  })

  it('phiCompaction repeats no turn when first and recent turns overlap', async () => {
    const { texts } = await compacted(turns(11, 7_500), { maxContextTokens: 130_000 })
    expect(questions(texts)).toEqual(
      ['0', '1', '3', '4', '5', '6', '7', '8', '9', '10'].slice(-questions(texts).length),
    )
    expect(new Set(questions(texts)).size).toBe(questions(texts).length)
  })

  it('phiCompaction keeps fewer turns when they are too long, and drops the newest last', async () => {
    const { texts, conversation } = await compacted(turns(12, 15_000), { maxContextTokens: 100_000 })
    expect(questions(texts)).toEqual(['0', '1', '11'].slice(-questions(texts).length))
    expect(conversation.tokens()).toBeLessThan(81_000)
  })

  it('phiCompaction summarizes earlier runs within its scope and omits the others', async () => {
    const messages = [0, 1, 2, 3, 4].flatMap(index =>
      exchange(`question ${index} ${'x'.repeat(300)}`, `answer ${index}`),
    )
    const runStarts = [0, 2, 4, 6, 8]
    const options = { maxContextTokens: 1_500, systemPromptTokens: 0, maxSummaryTokens: 800 }
    const { texts } = await compacted(messages, { ...options, scope: 2 }, { runStarts })
    expect(texts[0]).toContain('User: question 3')
    expect(texts[0]).not.toContain('question 1')
    expect(texts.slice(1).map(text => text.slice(0, 18))).toEqual(['user: question 4 x', 'assistant: answer '])
    const byTokens = await compacted(messages, { ...options, scope: 'token-budget' }, { runStarts })
    expect(byTokens.texts[0]).toContain('lines left out')
    const none = await compacted(messages, { ...options, scope: 0 }, { runStarts })
    expect(none.texts).toHaveLength(2)
  })

  it('phiCompaction passes its focus message to the digest and to a custom summarizer', async () => {
    const summary = ({ messages, focus }: { messages: readonly Message[]; focus: string | undefined }): string =>
      `${focus}: ${messages.length} messages`
    const options = { keepFirstTurns: 1, keepRecentTurns: 2, focusMessage: 'The price' }
    const digest = await compacted(turns(9, 10_000), options)
    expect(digest.texts.find(text => text.includes('[Summary'))).toContain('\nFocus: The price\n')
    const own = await compacted(turns(9, 10_000), { ...options, summary })
    expect(own.texts).toContain('user: [Summary of the conversation so far]\nThe price: 18 messages')
  })

  it('phiCompaction keeps system messages and the request that the recent turns work on', async () => {
    const messages: Message[] = [
      ...turns(3, 20_000),
      { role: 'system', content: 'Be careful.' },
      userMessage('The task.'),
      ...[0, 1, 2, 3].flatMap(index => toolTurn(`work ${index}`, 'z'.repeat(8_000))),
    ]
    const { texts } = await compacted(messages, { keepFirstTurns: 0, keepRecentTurns: 2 })
    expect(texts.map(text => text.slice(0, 20))).toEqual([
      'user: [Summary of th',
      'system: Be careful.',
      'user: The task.',
      'assistant: ',
      `tool: ${'z'.repeat(14)}`,
      'assistant: ',
      `tool: ${'z'.repeat(14)}`,
    ])
  })

  it('phiCompaction summarizes the log and never an earlier summary', async () => {
    const { conversation, texts } = await compacted(turns(12, 8_000), { keepRecentTurns: 2 })
    conversation.say(...turns(12, 8_000).map(again))
    await conversation.compact(phiCompaction({ keepRecentTurns: 2 }))
    const after = conversation.texts()
    expect(after.filter(text => text.includes('[Summary'))).toHaveLength(1)
    expect(after.join('\n').match(/\[Summary/g)).toHaveLength(1)
    expect(after.slice(0, 2)).toEqual(texts.slice(0, 2))
  })
})

function again(message: Message): Message {
  if (message.role === 'tool') return { ...message, callId: `again ${message.callId}` }
  if (message.role !== 'assistant') return message
  const content = message.content.map(part =>
    part.type === 'tool-call' ? { ...part, callId: `again ${part.callId}` } : part,
  )
  return { ...message, content }
}
