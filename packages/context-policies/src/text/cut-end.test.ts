import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cutEnd } from './cut-end.ts'

it('cutEnd keeps the beginning of a text and marks the cut', () => {
  expect(cutEnd('abcdef', 6)).toBe('abcdef')
  expect(cutEnd('abcdef', 4)).toBe('abc…')
})

it('cutEnd never exceeds the maximum and never splits a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (text, most) => {
      const cut = cutEnd(text, most)
      expect(cut.length).toBeLessThanOrEqual(most)
      expect(cut.isWellFormed()).toBe(true)
    }),
  )
})
