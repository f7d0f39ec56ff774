import fc from 'fast-check'
import { userMessage } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { Transcript } from './transcript.ts'

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
        }
      }),
    )
  })

  it('toArray of a Transcript returns a copy that later appends do not change', () => {
    const first = Transcript.from([userMessage('a')])
    const copy = first.toArray()
    first.append(userMessage('b'))
    expect(copy).toEqual([userMessage('a')])
  })
})
