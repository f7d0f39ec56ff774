import type { ErrorInfo } from '@parley/core'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { retryDelay } from './retry-delay.ts'

const error = { code: 'model-overloaded', provider: 'acme', detail: '' } satisfies ErrorInfo
const broken = { code: 'model-auth', provider: 'acme', detail: '' } satisfies ErrorInfo
const random = (): number => 0

it('a failure is retried maxRetries times, twice by default', () => {
  const delays = (policy: { maxRetries?: number }) =>
    [1, 2, 3, 4].map(failures => retryDelay({ error: { info: error } }, { failures, policy, random }))
  expect(delays({})).toEqual([500, 1_000, undefined, undefined])
  expect(delays({ maxRetries: 3 })).toEqual([500, 1_000, 2_000, undefined])
  expect(delays({ maxRetries: 0 })).toEqual([undefined, undefined, undefined, undefined])
})

it('a wait that the server asks for may be as long as maxWaitMs, and not longer', () => {
  const delay = (retryAfterMs: number, maxWaitMs?: number) =>
    retryDelay({ error: { info: error }, retryAfterMs }, { failures: 1, policy: { maxWaitMs }, random })
  expect([delay(60_000), delay(60_001)]).toEqual([60_000, undefined])
  expect([delay(10, 10), delay(11, 10)]).toEqual([10, undefined])
})

it('for any policy, the wish of the server decides whether to retry, and its wait replaces the backoff', () => {
  const optional = <TValue>(value: fc.Arbitrary<TValue>) => fc.option(value, { nil: undefined })
  const drawn = fc.record({
    info: fc.constantFrom(error, broken),
    shouldRetry: optional(fc.boolean()),
    retryAfterMs: optional(fc.nat({ max: 100 })),
    failures: fc.integer({ min: 1, max: 6 }),
    maxRetries: fc.nat({ max: 5 }),
  })
  fc.assert(
    fc.property(drawn, ({ info, shouldRetry, retryAfterMs, failures, maxRetries }) => {
      const policy = { maxRetries, maxWaitMs: 50, initialDelayMs: 20, maxDelayMs: 30 }
      const delay = retryDelay({ error: { info }, shouldRetry, retryAfterMs }, { failures, policy, random })
      const wanted = retryAfterMs ?? (failures === 1 ? 20 : 30)
      const isRetried = failures <= maxRetries && (shouldRetry ?? info === error) && wanted <= 50
      expect(delay).toBe(isRetried ? wanted : undefined)
    }),
  )
})
