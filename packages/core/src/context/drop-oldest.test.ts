import { expect, it } from 'vitest'
import type { ContextView, MessageGroup } from '../hooks/context-view.ts'
import { userMessage } from '../model/message-text.ts'
import type { Message } from '../schema/message.ts'
import { dropOldest, type DropOptions } from './drop-oldest.ts'

const answer = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] })
const talk = [userMessage('one'), answer('1'), userMessage('two'), answer('2'), userMessage('three')]
const questions = ['one', 'two', 'three'].map(text => userMessage(text))

/** What is left of a conversation in which each message has ten tokens. */
function left(messages: readonly Message[], options: Partial<DropOptions>): readonly Message[] {
  const groups: readonly MessageGroup[] = messages.map(message => ({ messages: [message] }))
  const tokens = (): number => messages.length * 10
  const view: ContextView = {
    length: messages.length,
    groups,
    log: groups,
    fixedTokens: 0,
    window: undefined,
    budget: undefined,
    tokens,
    exceeds: limit => tokens() > limit,
    count: counted => counted.length * 10,
  }
  const bounds = { maxMessages: Infinity, maxTokens: Infinity, minMessages: 0, keepSystem: true, ...options }
  return (dropOldest(view, bounds) ?? groups).flatMap(group => group.messages)
}

it.each([1, 2, 3])('dropOldest keeps exactly maxMessages messages of three questions, for %d', maxMessages => {
  expect(left(questions, { maxMessages })).toEqual(questions.slice(3 - maxMessages))
})

it('dropOldest counts the request in front of the remaining answers as one of maxMessages', () => {
  expect(left(talk, { maxMessages: 3 })).toEqual(talk.slice(2))
  expect(left(talk, { maxMessages: 2 })).toEqual(talk.slice(4))
})

it.each([1, 2, 3])('dropOldest keeps exactly minMessages messages beyond the bounds, for %d', minMessages => {
  expect(left(questions, { maxTokens: 1, minMessages })).toEqual(questions.slice(3 - minMessages))
})

it.each([1, 2, 3])('dropOldest keeps messages up to exactly maxTokens tokens, for %d messages', count => {
  expect(left(questions, { maxTokens: count * 10 })).toEqual(questions.slice(3 - count))
})
