import type { Message } from '@parley/core'
import { expect, it } from 'vitest'
import { continues, createProgress, readTranscript } from './read-transcript.ts'

const say = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] })
const [first, second, third] = [say('one'), say('two'), say('three')]

function readFrom(...messages: Message[]) {
  const progress = createProgress()
  readTranscript(progress, messages, 'run')
  return progress
}

it('a transcript with more messages continues the one that was read', () => {
  expect(continues(readFrom(first, second), [first, second, third])).toBe(true)
  expect(continues(readFrom(first, second), [first, second])).toBe(true)
  expect(continues(createProgress(), [first])).toBe(true)
})

it('a transcript that lost a message, or has another in the place of the last one, does not continue the one that was read', () => {
  expect(continues(readFrom(first, second), [second, third])).toBe(false)
  expect(continues(readFrom(first, second), [first])).toBe(false)
  expect(continues(readFrom(first, second), [first, third])).toBe(false)
})
