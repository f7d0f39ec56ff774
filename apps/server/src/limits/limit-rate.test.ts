import { expect, it } from 'vitest'
import { createRateLimiter } from './create-rate-limiter.ts'

it('lets as many through as fit in a minute, and says when the next one may come', () => {
  let at = 0
  const waitOf = createRateLimiter({ perMinute: 3, now: () => at })
  expect([waitOf('a'), waitOf('a'), waitOf('a'), waitOf('a')]).toEqual([0, 0, 0, 20_000])
  expect(waitOf('b')).toBe(0)
  at = 5_000
  expect(waitOf('a')).toBe(15_000)
  at = 20_000
  expect([waitOf('a'), waitOf('a')]).toEqual([0, 20_000])
})
