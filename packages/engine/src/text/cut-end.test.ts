import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cutEnd } from './cut-end.ts'

it('keeps the beginning of a text, and marks that there was more', () => {
  expect(cutEnd('abcdef', 6)).toBe('abcdef')
  expect(cutEnd('abcdef', 4)).toBe('abc…')
})

it('is never longer than asked for, nor half of a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (text, most) => {
      const cut = cutEnd(text, most)
      expect(cut.length).toBeLessThanOrEqual(most)
      expect(cut.isWellFormed()).toBe(true)
    }),
  )
})
