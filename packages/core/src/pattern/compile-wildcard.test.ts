import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compileWildcard } from './compile-wildcard.ts'

it('compileWildcard matches the same texts as a regular expression', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '\n'), maxLength: 8 })
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*'), maxLength: 6 })
  fc.assert(
    fc.property(pattern, text, (given, input) => {
      const oracle = new RegExp(`^${given.replaceAll('.', '\\.').replaceAll('*', '.*')}$`, 's')
      expect(compileWildcard(given)(input)).toBe(oracle.test(input))
    }),
  )
})

it('compileWildcard decides a pattern of 1,000 stars on a long text without backtracking', () => {
  expect(compileWildcard(`${'*a'.repeat(1_000)}*b`)('a'.repeat(100_000))).toBe(false)
})
