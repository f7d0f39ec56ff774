import { userMessage, type Message } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { phiCompaction, type PhiCompactionOptions } from '../index.ts'
import {
  charCounter,
  exchange,
  isDue,
  scopeOver,
  textsOf,
  toolTurn,
  type ScopeOptions,
} from './__fixtures__/scope-over.ts'
import { compactContext } from '../steps/context/compact.ts'
import { viewOf } from '../journal/overlay.ts'

/** Whether it is due for a conversation of so many tokens, without instructions. */
function isDueAt(tokens: number, options: PhiCompactionOptions = {}): boolean {
  const rest = turns(20, 1_000)
  const first = userMessage('x'.repeat(tokens - 4 - rest.reduce((sum, message) => sum + charCounter.count(message), 0)))
  return isDue(scopeOver([first, ...rest], { context: phiCompaction(options) }))
}

/** Turns whose texts tell them apart: a question, a call with its output, an answer. */
function turns(count: number, length: number): Message[] {
  return Array.from({ length: count }, (_, index) => [
    userMessage(`question ${index}`),
    ...toolTurn(`call ${index}`, `output ${index} ${'z'.repeat(length)}`),
  ]).flat()
}

async function compacted(messages: readonly Message[], options: PhiCompactionOptions, scope: ScopeOptions = {}) {
  const run = scopeOver(messages, { context: phiCompaction(options), ...scope })
  const changed = await compactContext(run, { turn: 1, trigger: 'due' })
  return { changed, run, view: viewOf(run.state), texts: textsOf(viewOf(run.state)) }
}

const questions = (texts: readonly string[]): string[] =>
  texts.filter(text => text.startsWith('user: question')).map(text => text.slice(15))

describe('phiCompaction', () => {
  it('fires above 81,000 tokens of messages with the defaults: a window of 100,000 and 4,000 for the instructions', () => {
    expect(isDueAt(81_000)).toBe(false)
    expect(isDueAt(81_001)).toBe(true)
  })

  it('fires where its options say', () => {
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

  it('does nothing between its trigger and the window that would leave as much as there was', async () => {
    const { changed } = await compacted([userMessage('x'.repeat(90_000))], {})
    expect(changed).toBe(false)
  })

  it('of 25 turns keeps the first 2 and the last 10, cut to 50 lines an output, and tells of the 13 between them', async () => {
    const output = Array.from({ length: 120 }, (_, line) => `line ${line}`).join('\n')
    const messages = Array.from({ length: 25 }, (_, index) => [
      userMessage(`question ${index} ${'x'.repeat(3_000)}`),
      ...toolTurn(`call ${index}`, output),
    ]).flat()
    const { texts, run } = await compacted(messages, {})
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
    expect(run.prompt.view?.tokens()).toBeLessThan(81_000)
  })

  it('of 11 turns doubles none', async () => {
    const { texts } = await compacted(turns(11, 7_500), { maxContextTokens: 130_000 })
    expect(questions(texts)).toEqual(
      ['0', '1', '3', '4', '5', '6', '7', '8', '9', '10'].slice(-questions(texts).length),
    )
    expect(new Set(questions(texts)).size).toBe(questions(texts).length)
  })

  it('keeps fewer turns where so many are too long, the newest to the last', async () => {
    const { texts, run } = await compacted(turns(12, 15_000), { maxContextTokens: 100_000 })
    expect(questions(texts)).toEqual(['0', '1', '11'].slice(-questions(texts).length))
    expect(run.prompt.view?.tokens()).toBeLessThan(81_000)
  })

  it('tells of the runs before in scope, and leaves out those beyond it', async () => {
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

  it('puts its focus in front, and lets another hand write the summary', async () => {
    const summary = ({ messages, focus }: { messages: readonly Message[]; focus: string | undefined }): string =>
      `${focus}: ${messages.length} messages`
    const options = { keepFirstTurns: 1, keepRecentTurns: 2, focusMessage: 'The price' }
    const digest = await compacted(turns(9, 10_000), options)
    expect(digest.texts.find(text => text.includes('[Summary'))).toContain('\nFocus: The price\n')
    const own = await compacted(turns(9, 10_000), { ...options, summary })
    expect(own.texts).toContain('user: [Summary of the conversation so far]\nThe price: 18 messages')
  })

  it('keeps instructions of the conversation, and the request its recent turns work on', async () => {
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

  it('makes each summary from the whole log, so nothing is ever summarised twice', async () => {
    const { run, texts } = await compacted(turns(12, 8_000), { keepRecentTurns: 2 })
    for (const message of turns(12, 8_000).map(again)) record(run, message)
    await compactContext(run, { turn: 2, trigger: 'due' })
    const after = textsOf(viewOf(run.state))
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

function record(run: ReturnType<typeof scopeOver>, message: Message): void {
  if (message.role !== 'tool') run.journal.record({ type: 'message.appended', source: 'model', message })
  else run.journal.record({ type: 'tool.ended', turn: 1, callId: message.callId, name: 'look', message, durationMs: 0 })
}
