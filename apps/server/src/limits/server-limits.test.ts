import { expect, it } from 'vitest'
import { toServerLimits } from './server-limits.ts'

it('one scope of several may use half of the places and of the memory by default', () => {
  const halves = { maxRuns: 1_000, maxRunsPerScope: 500, maxKeptChars: 32_000_000, maxKeptCharsPerScope: 16_000_000 }
  expect(toServerLimits({}, { isOpen: false, scopeCount: 2 })).toMatchObject(halves)
  const given = toServerLimits({ maxRuns: 5, maxKeptChars: Infinity }, { isOpen: false, scopeCount: Infinity })
  expect(given).toMatchObject({ maxRunsPerScope: 3, maxKeptCharsPerScope: Infinity })
})

it('the only scope may use all places and the whole memory by default', () => {
  const whole = { maxRunsPerScope: 1_000, maxKeptCharsPerScope: 32_000_000 }
  expect(toServerLimits({}, { isOpen: true, scopeCount: 1 })).toMatchObject(whole)
})
