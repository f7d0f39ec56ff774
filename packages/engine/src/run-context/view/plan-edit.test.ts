import { userMessage, type Message } from '@parley/core'
import { expect, it } from 'vitest'
import { initialState } from '../../journal/run-state.ts'
import { groupMessages } from './group-messages.ts'
import { planEdit, stepsToCut } from './plan-edit.ts'

/** A run with a question and four steps. Each group counts 10 tokens. The newest step is still to be read. */
function setup() {
  const messages: Message[] = [userMessage('go')]
  for (const callId of ['1', '2', '3', '4']) {
    const call = { type: 'tool-call' as const, callId, name: 'look', arguments: '{}' }
    messages.push({ role: 'assistant', model: 'm', finish: 'tool-calls', content: [call] })
    messages.push({ role: 'tool', callId, name: 'look', content: [{ type: 'text', text: callId }] })
  }
  const { transcript, context } = initialState(messages)
  const groups = groupMessages([{ messages, from: 0 }], context.runStarts)
  return { log: { transcript, context }, sent: { groups, count: () => 10 } }
}

const trimmed = (tokens: number): readonly number[] => {
  const { sent, log } = setup()
  return stepsToCut(sent, log, { type: 'trim', tokens }).map(({ step }) => step)
}

it('a trim removes the newest steps up to its number of tokens, and at least one', () => {
  expect([0, 9, 10, 19, 20, 29, 30, 99].map(trimmed)).toEqual([
    [3],
    [3],
    [3],
    [3],
    [2, 3],
    [2, 3],
    [1, 2, 3],
    [1, 2, 3],
  ])
})

it('a revert removes the steps after the one that it names, and none if that is not sent any more', () => {
  const { sent, log } = setup()
  const reverted = (step: number) =>
    stepsToCut(sent, log, { type: 'revert', step, category: 'failure', summary: 'x' }).map(cut => cut.step)
  expect([0, 1, 2, 3, 7].map(reverted)).toEqual([[1, 2, 3], [2, 3], [3], [], []])
})

it('the note of an edit takes the place of the first step that it removes', () => {
  const { sent, log } = setup()
  const left = planEdit(sent, log, { type: 'trim', tokens: 20, memo: 'looked twice' })
  expect(left.map(({ messages }) => messages[0]?.role)).toEqual(['user', 'assistant', 'user', 'assistant'])
  expect(JSON.stringify(left[2])).toContain('looked twice')
})
