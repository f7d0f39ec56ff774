import { fakeClock } from '@parley/testing'
import { expect, it } from 'vitest'
import { Quotas } from './quotas.ts'

it('calls with the same key share their buckets, and calls with different keys do not', () => {
  const quotas = new Quotas({ clock: fakeClock(), requests: 1, tokens: undefined, intervalMs: 1_000 })
  expect(['a', 'b', 'a', 'b', 'a'].map(key => quotas.take(key, 0).delayMs)).toEqual([0, 0, 1_000, 1_000, 2_000])
})
