import { fakeClock } from '@parley/testing'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventsOf, setup } from '../__fixtures__/set-up-agent.ts'
import { createRateLimit, type RateLimitOptions } from './create-rate-limit.ts'
import { TokenBucket } from './token-bucket.ts'

/** Creates an agent whose runs share a rate limit. */
function limited(options: RateLimitOptions) {
  const clock = fakeClock()
  const given = setup(() => 'x', [createRateLimit({ clock, intervalMs: 1_000, ...options })])
  return { ...given, time: clock }
}

describe('rate limit', () => {
  it('a rate limit allows one interval’s calls at once and delays further calls in order', async () => {
    const { run, model, time } = limited({ requests: 2 })
    await Promise.all([run().result, run().result])
    const third = run()
    const fourth = run()
    await time.advance(499)
    expect(model.requests).toHaveLength(2)
    await time.advance(1)
    expect(model.requests).toHaveLength(3)
    expect(await third.result).toMatchObject({ status: 'completed' })
    await time.advance(500)
    expect(await fourth.result).toMatchObject({ status: 'completed' })
  })

  it('a waiting call emits model.retrying with its delay', async () => {
    const { run, time } = limited({ requests: 1 })
    await run().result
    const events = eventsOf(run())
    await time.advance(1_000)
    expect((await events).find(event => event.type === 'model.retrying')).toMatchObject({
      delayMs: 1_000,
      error: { code: 'model-rate-limited', retryAfterMs: 1_000 },
    })
  })

  it('a rate limit charges the tokens that a call really used, and the next call waits for them', async () => {
    const waits: number[] = []
    const { run, time } = limited({ tokens: 10, estimate: () => 1, onWait: wait => waits.push(wait.delayMs) })
    await run().result
    const second = run()
    await time.advance(600)
    await second.result
    // 15 of 10 tokens were used and 1 more is needed, so 6 are missing.
    expect(waits).toEqual([600])
  })

  it('a rate limit returns the estimated tokens of a failed call', async () => {
    const clock = fakeClock()
    const failing = { events: [], error: { code: 'model-server', provider: 'p', detail: '' } } as const
    const middleware = createRateLimit({ clock, tokens: 10, estimate: () => 10, intervalMs: 1_000 })
    const { run, model } = setup([failing, 'x'], [middleware])
    await run().result
    await run().result
    expect(model.requests).toHaveLength(2)
  })

  it('a rate limit refuses a call if onLimit is refuse or the wait would exceed maxWaitMs', async () => {
    for (const options of [{ onLimit: 'refuse' }, { maxWaitMs: 999 }] as const) {
      const { run } = limited({ requests: 1, ...options })
      await run().result
      expect(await run().result).toMatchObject({
        status: 'failed',
        error: { code: 'model-rate-limited', retryAfterMs: 1_000 },
      })
    }
  })

  it('each key has its own rate limit', async () => {
    const { runtime, model } = limited({ requests: 1, key: run => run.scope })
    await runtime.run('a', 'go', { scope: 'one' }).result
    await runtime.run('a', 'go', { scope: 'two' }).result
    expect(model.requests).toHaveLength(2)
  })

  it('a call that is cancelled while it waits returns its place in the queue', async () => {
    const { run, model, time } = limited({ requests: 1 })
    await run().result
    const waiting = run()
    await time.advance(1)
    await waiting.cancel()
    expect(await waiting.result).toMatchObject({ status: 'cancelled' })
    expect(time.pending).toBe(0)
    const next = run()
    await time.advance(1_000)
    await next.result
    expect(model.requests).toHaveLength(2)
  })

  it.each([
    [{}, 'rateLimit: requires requests, tokens or both'],
    [{ requests: 0 }, 'rateLimit.requests: is 0'],
    [{ requests: 1, intervalMs: -1 }, 'rateLimit.intervalMs: is -1'],
  ])('createRateLimit rejects %j', (options, message) => {
    expect(() => createRateLimit(options)).toThrow(message)
  })

  it('a token bucket never allows more in any period than a full bucket plus the refill', async () => {
    const steps = fc.array(fc.record({ wait: fc.nat(300), amount: fc.integer({ min: 1, max: 5 }) }), { maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(steps, async taken => {
        const clock = fakeClock(0)
        const bucket = new TokenBucket(clock, 5, 1_000)
        const passes: { at: number; amount: number }[] = []
        for (const { wait, amount } of taken) {
          await clock.advance(wait)
          passes.push({ at: clock.now() + bucket.take(amount), amount })
        }
        for (const [index, { at: from }] of passes.entries()) {
          let sum = 0
          for (const { at, amount } of passes.slice(index)) {
            sum += amount
            // Waits are whole milliseconds, rounded up.
            expect(sum).toBeLessThanOrEqual(5 + 5 + ((at - from + 1) * 5) / 1_000)
          }
        }
      }),
      { numRuns: 30 },
    )
  })
})
