import { fakeClock } from '@parley/testing'
import { expect, it } from 'vitest'
import { Setbacks } from './setbacks.ts'

it('a run rests longer after each setback, at most for fourteen sweeps, and not at all after it was cleared', async () => {
  const clock = fakeClock()
  const setbacks = new Setbacks(clock, 1_000)
  for (const sweeps of [0, 1, 3, 7, 14, 14]) {
    setbacks.add('r')
    await clock.advance(Math.max(0, sweeps * 1_000 - 1))
    expect(setbacks.isResting('r')).toBe(sweeps > 0)
    await clock.advance(1)
    expect(setbacks.isResting('r')).toBe(false)
  }
  setbacks.add('r')
  expect(setbacks.isResting('other')).toBe(false)
  setbacks.clear('r')
  expect(setbacks.isResting('r')).toBe(false)
  expect(setbacks.add('r')).toBe(1)
})
