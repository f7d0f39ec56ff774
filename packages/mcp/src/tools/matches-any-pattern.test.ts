import fc from 'fast-check'
import { expect, it } from 'vitest'
import { matchesAnyPattern } from './matches-any-pattern.ts'

it('a pattern without a star matches literally', () => {
  expect(matchesAnyPattern('read_file', ['read_file'])).toBe(true)
  expect(matchesAnyPattern('read_files', ['read_file'])).toBe(false)
  expect(matchesAnyPattern('readxfile', ['read.file'])).toBe(false)
})

it('matchesAnyPattern agrees with a regular expression on every pattern', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '_'), maxLength: 8 })
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*'), maxLength: 6 })
  fc.assert(
    fc.property(text, pattern, (name, star) => {
      const oracle = new RegExp(`^${star.replaceAll('.', '\\.').replaceAll('*', '.*')}$`, 's')
      expect(matchesAnyPattern(name, [star])).toBe(oracle.test(name))
    }),
    { numRuns: 2_000 },
  )
})
