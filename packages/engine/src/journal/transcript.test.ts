import fc from 'fast-check'
import { messageSize, userMessage, type Message } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { Transcript } from './transcript.ts'

const sizeOf = (messages: readonly Message[]) => messages.reduce((sum, message) => sum + messageSize(message), 0)

describe('Transcript', () => {
  it('every version of a Transcript stays unchanged when any version is appended to', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 40 }), picks => {
        const versions: { view: Transcript; expected: string[] }[] = [{ view: Transcript.empty, expected: [] }]
        for (const [index, pick] of picks.entries()) {
          const from = versions[pick % versions.length]!
          const text = String(index)
          versions.push({ view: from.view.append(userMessage(text)), expected: [...from.expected, text] })
        }
        for (const { view, expected } of versions) {
          expect(view.toArray()).toEqual(expected.map(text => userMessage(text)))
          expect(view.length).toBe(expected.length)
          expect(view.size).toBe(sizeOf(view.toArray()))
        }
      }),
    )
  })

  it('the size of a Transcript over a given list is the same whether it is asked before or after an append', () => {
    const given = [userMessage('abc'), userMessage('de')]
    const [early, late] = [Transcript.from(given), Transcript.from(given)]
    const all = [...given, userMessage('f')]
    expect(early.size).toBe(sizeOf(given))
    expect(early.append(userMessage('f')).size).toBe(sizeOf(all))
    expect(late.append(userMessage('f')).size).toBe(sizeOf(all))
  })

  it('toArray of a Transcript returns a copy that later appends do not change', () => {
    const first = Transcript.from([userMessage('a')])
    const copy = first.toArray()
    first.append(userMessage('b'))
    expect(copy).toEqual([userMessage('a')])
  })
})
