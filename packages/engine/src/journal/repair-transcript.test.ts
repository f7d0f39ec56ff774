import fc from 'fast-check'
import { messageSize, type Message } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { isValidTranscript, repairTranscript, toTranscript } from './repair-transcript.ts'

const callIds = fc.constantFrom('a', 'b', 'c')
const messages = fc.array(
  fc.oneof(
    fc.constant<Message>({ role: 'user', content: [{ type: 'text', text: 'hi' }] }),
    fc.constant<Message>({ role: 'system', content: 'be brief' }),
    callIds.map<Message>(callId => ({ role: 'tool', callId, name: 'add', content: [] })),
    fc.array(callIds, { maxLength: 3 }).map<Message>(ids => ({
      role: 'assistant',
      content: ids.map(callId => ({ type: 'tool-call', callId, name: 'add', arguments: '{}' })),
    })),
  ),
  { maxLength: 12 },
)

describe('repairTranscript', () => {
  it('repairTranscript makes any list of messages a valid transcript', () => {
    fc.assert(
      fc.property(messages, list => {
        expect(isValidTranscript(repairTranscript(list))).toBe(true)
      }),
    )
  })

  it('repairTranscript returns a valid list unchanged', () => {
    fc.assert(
      fc.property(messages, list => {
        const once = repairTranscript(list)
        expect(repairTranscript(once)).toBe(once)
      }),
    )
  })

  it('toTranscript has the messages of repairTranscript and their size', () => {
    fc.assert(
      fc.property(messages, list => {
        const repaired = repairTranscript(list)
        const transcript = toTranscript(list)
        expect(transcript.toArray()).toEqual(repaired)
        expect(transcript.size).toBe(repaired.reduce((sum, message) => sum + messageSize(message), 0))
      }),
    )
  })

  it('repairTranscript never drops user or assistant messages', () => {
    fc.assert(
      fc.property(messages, list => {
        const spoken = (all: readonly Message[]): number => all.filter(message => message.role !== 'tool').length
        expect(spoken(repairTranscript(list))).toBe(spoken(list))
      }),
    )
  })

  it('repairTranscript moves a late result to its call and fills in a missing one', () => {
    const repaired = repairTranscript([
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', callId: 'a', name: 'add', arguments: '{}' },
          { type: 'tool-call', callId: 'b', name: 'add', arguments: '{}' },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'wait' }] },
      { role: 'tool', callId: 'b', name: 'add', content: [{ type: 'text', text: '3' }] },
    ])
    expect(repaired.map(message => message.role)).toEqual(['assistant', 'tool', 'tool', 'user'])
    expect(repaired[1]).toMatchObject({ callId: 'a', isError: true })
    expect(repaired[2]).toMatchObject({ callId: 'b', content: [{ text: '3' }] })
  })
})
