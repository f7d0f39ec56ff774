import { fakeClock } from '@parley/testing'
import { expect, it } from 'vitest'
import { TokenBucket } from './token-bucket.ts'

it('a clock that is set back takes nothing out of a bucket and puts nothing into it', () => {
  let now = 1_000_000
  const clock = { ...fakeClock(), now: () => now }
  const bucket = new TokenBucket(clock, 5, 1_000)
  expect(bucket.take(5)).toBe(0)
  now -= 600_000
  expect(bucket.take(1)).toBe(200)
  now += 200
  expect(bucket.take(1)).toBe(200)
})

it('a bucket that nothing was taken from for a long time holds only its capacity', async () => {
  const clock = fakeClock()
  const bucket = new TokenBucket(clock, 5, 1_000)
  await clock.advance(600_000)
  expect(bucket.take(5)).toBe(0)
  expect(bucket.take(1)).toBe(200)
})
