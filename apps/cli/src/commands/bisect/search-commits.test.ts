import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { searchCommits } from './search-commits.ts'

it('searchCommits finds the first commit that differs, or names the skipped ones before it, in few tests', async () => {
  const cases = fc.integer({ min: 1, max: 200 }).chain(count =>
    fc.record({
      count: fc.constant(count),
      first: fc.integer({ min: 0, max: count - 1 }),
      skipped: fc.uniqueArray(fc.integer({ min: 0, max: count - 1 }), { maxLength: 3 }),
    }),
  )
  await fc.assert(
    fc.asyncProperty(cases, async ({ count, first, skipped }) => {
      const tested: number[] = []
      const result = await searchCommits(count, async index => {
        tested.push(index)
        if (skipped.includes(index)) return 'skipped'
        return index >= first ? 'different' : 'same'
      })
      expect(new Set(tested).size).toBe(tested.length)
      expect(tested.length).toBeLessThanOrEqual(Math.ceil(Math.log2(count)) + 1 + skipped.length)
      expect([...result.doubtful, result.first]).toContain(first)
      expect(result.doubtful.every(index => skipped.includes(index))).toBe(true)
    }),
    { numRuns: 500 },
  )
})
