import { expect, it } from 'vitest'
import { toWordRows } from './word-rows.ts'
import { markWords } from './word-marks.ts'

it('the marks of a word never change, because stores contain them', () => {
  expect(markWords([])).toEqual({ mark_a: 0, mark_b: 0 })
  expect(markWords(['tea'])).toEqual({ mark_a: 2, mark_b: 65_536 })
  expect(markWords(['green', 'tea'])).toEqual({ mark_a: 1_026, mark_b: 2_162_688 })
  expect(markWords(['茶'])).toEqual({ mark_a: 2_147_483_648, mark_b: 8_796_093_022_208 })
})

it('the row of each word of a run has the bits of all words of the run', () => {
  const words = Array.from({ length: 40 }, (_, index) => `w${index}`)
  const rows = toWordRows({ runId: 'r', scope: 's', startedAt: 1, preview: words.join(' ') })
  expect(rows).toHaveLength(40)
  for (const row of rows)
    for (const word of words) {
      const { mark_a: a, mark_b: b } = markWords([word])
      expect(BigInt(row.mark_a) & BigInt(a)).toBe(BigInt(a))
      expect(BigInt(row.mark_b) & BigInt(b)).toBe(BigInt(b))
    }
})

it('a run of eight words may have, by its marks, less than one of 25 other words', () => {
  const { mark_a: a, mark_b: b } = markWords(Array.from({ length: 8 }, (_, index) => `topic${index}`))
  const others = Array.from({ length: 10_000 }, (_, index) => markWords([`w${index}`]))
  const isIn = (mark: number, own: number): boolean => (BigInt(own) & BigInt(mark)) === BigInt(mark)
  expect(others.filter(other => isIn(other.mark_a, a) && isIn(other.mark_b, b)).length).toBeLessThan(400)
})
