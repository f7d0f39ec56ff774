import fc from 'fast-check'
import { expect, test } from 'vitest'
import { timeScale } from './time-scale.ts'
import type { Span } from './timeline.ts'

const wait = (from: number, to: number): Span => ({
  id: `w${from}`,
  kind: 'wait',
  label: '',
  seq: 1,
  state: 'ok',
  from,
  to,
})

test('time without waits is drawn evenly', () => {
  const scale = timeScale({ from: 1000, to: 2000, spans: [] })
  expect([1000, 1250, 2000].map(scale.place)).toEqual([0, 0.25, 1])
  expect(scale.timeAt(0.25)).toBe(1250)
})

test('a wait of two days takes a small part of the width', () => {
  const days = 172_800_000
  const scale = timeScale({ from: 0, to: days + 2000, spans: [wait(1000, days + 1000)] })
  expect(scale.place(1000)).toBeGreaterThan(0.45)
  expect(scale.place(days + 1000)).toBeLessThan(0.55)
})

test('timeScale gives places that grow with time and lie between 0 and 1', () => {
  const stretch = fc.tuple(fc.nat(10_000), fc.nat(10_000)).map(([from, length]) => wait(from, from + length))
  fc.assert(
    fc.property(fc.array(stretch, { maxLength: 6 }), fc.nat(20_000), fc.nat(20_000), (waits, a, b) => {
      const spans = waits.toSorted((x, y) => x.from - y.from)
      const scale = timeScale({ from: 0, to: 20_000, spans })
      const [early, late] = [Math.min(a, b), Math.max(a, b)].map(scale.place) as [number, number]
      expect(early).toBeLessThanOrEqual(late)
      expect(early).toBeGreaterThanOrEqual(0)
      expect(late).toBeLessThanOrEqual(1)
    }),
  )
})
