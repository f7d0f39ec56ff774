import { expect, it } from 'vitest'
import { createRateLimiter } from './limit-rate.ts'

it('createRateLimiter allows the configured number of requests a minute and returns the wait until the next one', () => {
  let at = 0
  const waitOf = createRateLimiter({ perMinute: 3, now: () => at })
  expect([waitOf('a'), waitOf('a'), waitOf('a'), waitOf('a')]).toEqual([0, 0, 0, 20_000])
  expect(waitOf('b')).toBe(0)
  at = 5_000
  expect(waitOf('a')).toBe(15_000)
  at = 20_000
  expect([waitOf('a'), waitOf('a')]).toEqual([0, 20_000])
})
