import type { RunEvent } from '@parley/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packNotices } from './pack-notices.ts'

const delta = (text: string): RunEvent => ({
  type: 'text.delta',
  turn: 1,
  text,
  runId: 'r',
  sessionId: 's',
  path: [],
  seq: 3,
  at: 1,
})

describe('events packed into notices', () => {
  it('packNotices packs all events in order into notices that PostgreSQL accepts', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 50 }),
      fc.integer({ max: 9_000 }).map(n => '\u{1f600}"'.repeat(Math.max(0, n))),
    )
    fc.assert(
      fc.property(fc.array(text, { maxLength: 40 }), texts => {
        const notices = packNotices(texts.map(delta), 'public/')
        for (const notice of notices) expect(Buffer.byteLength(notice)).toBeLessThan(8_000)
        const events = notices.flatMap(notice => JSON.parse(notice.slice('public/'.length)) as { text: string }[])
        expect(events.map(event => event.text).join('')).toBe(texts.join(''))
      }),
      { numRuns: 50 },
    )
  })

  it('packNotices splits no surrogate pair', () => {
    for (const text of ['\u{1f600}'.repeat(6_000), `x${'\u{1f600}'.repeat(6_000)}`, `xy${'\u{1f600}'.repeat(6_001)}`]) {
      const notices = packNotices([delta(text)], 'p/')
      const texts = notices.flatMap(notice => JSON.parse(notice.slice(2)) as { text: string }[]).map(each => each.text)
      expect(texts.join('')).toBe(text)
      expect(texts.filter(piece => !piece.isWellFormed())).toEqual([])
    }
  })

  it('packNotices drops an event that is too large to be split', () => {
    const update = 'x'.repeat(9_000)
    const envelope = { runId: 'r', sessionId: 's', path: [], seq: 3, at: 1 }
    const progress: RunEvent = { ...envelope, type: 'tool.progress', turn: 1, callId: 'c', name: 't', update }
    expect(packNotices([delta('a'), progress, delta('b')], 'p/')).toHaveLength(1)
  })
})
