import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { mergeSpans, PII_KINDS, type PiiSpan } from './pii-span.ts'

const span = fc
  .record({ kind: fc.constantFrom(...PII_KINDS), start: fc.nat(30), length: fc.integer({ min: 1, max: 10 }) })
  .map(({ kind, start, length }): PiiSpan => ({ kind, start, end: start + length }))

const covered = (spans: readonly PiiSpan[]) =>
  new Set(spans.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, offset) => start + offset)))

it('mergeSpans covers exactly the positions that the given spans cover', () => {
  fc.assert(
    fc.property(fc.array(span, { maxLength: 8 }), spans => {
      const merged = mergeSpans(spans)
      expect(covered(merged)).toEqual(new Set([...covered(merged)].filter(at => covered(spans).has(at))))
      expect(covered(merged).size).toBe(covered(spans).size)
      for (const [index, each] of merged.entries()) {
        if (index > 0) expect(each.start).toBeGreaterThanOrEqual(merged[index - 1]?.end ?? 0)
      }
    }),
  )
})

it('mergeSpans joins overlapping spans under the most certain kind', () => {
  expect(
    mergeSpans([
      { kind: 'phone', start: 0, end: 6 },
      { kind: 'card', start: 4, end: 9 },
    ]),
  ).toEqual([{ kind: 'card', start: 0, end: 9 }])
})
