import { expect, it } from 'vitest'
import { ageOf } from './age.ts'

it.each([
  [0, 'just now'],
  [-5_000, 'just now'],
  [1_000, '1 second ago'],
  [59_999, '59 seconds ago'],
  [60_000, '1 minute ago'],
  [7_200_000, '2 hours ago'],
  [86_400_000 * 3, '3 days ago'],
])('ageOf describes %i milliseconds as %s', (ms, words) => {
  expect(ageOf(1_000_000_000, 1_000_000_000 + ms)).toBe(words)
})
