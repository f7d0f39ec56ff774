import { expect, it } from 'vitest'
import { GrowingText } from './growing-text.ts'

it.each([1, 8, 200])('a growing text joins pieces of %i characters in order', chars => {
  const pieces = Array.from({ length: 5_000 }, (_, index) => `${index % 10}`.repeat(chars))
  const text = new GrowingText()
  expect(text.value).toBe('')
  for (const [index, piece] of pieces.entries()) {
    text.add(piece)
    if (index === 1_400) expect(text.slice(chars, text.length - 1)).toBe(pieces.slice(1, 1_401).join('').slice(0, -1))
    if (index === 1_500) expect(text.value).toBe(pieces.slice(0, 1_501).join(''))
  }
  const whole = pieces.join('')
  expect(text.length).toBe(whole.length)
  expect(text.begins(`${whole} and more`)).toBe(true)
  expect(text.begins(`x${whole.slice(1)}`)).toBe(false)
  expect(text.begins(whole.slice(1))).toBe(false)
  expect(text.slice(3, 4_000)).toBe(whole.slice(3, 4_000))
  expect(text.value).toBe(whole)
  expect(text.slice(3, 4_000)).toBe(whole.slice(3, 4_000))
  expect(text.slice(4, 4)).toBe('')
  expect(new GrowingText().value).toBe('')
})
