import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cutText } from './cut-text.ts'

it('cutText keeps the beginning and the end of a text', () => {
  expect(cutText('short', 5)).toBe('short')
  expect(cutText('a long text with an end', 13)).toBe('a lo […]  end')
})

it('cutText never exceeds the maximum and never splits a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.nat(70), (text, max) => {
      const cut = cutText(text, max)
      expect(cut.length).toBeLessThanOrEqual(Math.max(max, 0))
      expect(cut.isWellFormed()).toBe(true)
      if (text.length <= max) expect(cut).toBe(text)
    }),
    { numRuns: 500 },
  )
})
