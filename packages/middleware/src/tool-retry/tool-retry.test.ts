import { defineTool, toolError, type RunFacts, type RunProgress, type ToolCall } from '@parley/core'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fakeClock } from '@parley/testing'
import * as z from 'zod'
import { setup, toldIn } from '../__fixtures__/set-up-agent.ts'
import { toolRetry, type ToolRetryNotice, type ToolRetryOptions } from './tool-retry.ts'

const call = { toolCalls: [{ name: 'flaky' }] }

/** Creates an agent whose tool fails the given number of times before it succeeds. */
function flaky(failures: number, options: ToolRetryOptions = {}, failure = toolError('busy', { retryable: true })) {
  let calls = 0
  const notices: ToolRetryNotice[] = []
  const clock = fakeClock()
  const tool = defineTool({
    name: 'flaky',
    description: 'Fails at first.',
    input: z.object({}),
    execute: () => (++calls > failures ? 'fine' : failure),
  })
  const middleware = toolRetry({ clock, jitter: 0, onRetry: notice => notices.push(notice), ...options })
  const given = setup([call, 'x'], [middleware], { tools: [tool] })
  return { ...given, middlewareClock: clock, notices, calls: () => calls }
}

describe('toolRetry', () => {
  it('toolRetry repeats a call whose failure is retryable, each time after a longer delay', async () => {
    const given = flaky(2)
    const running = given.run()
    await given.middlewareClock.advance(499)
    expect(given.calls()).toBe(1)
    await given.middlewareClock.advance(1)
    expect(given.calls()).toBe(2)
    await given.middlewareClock.advance(1_000)
    await running.result
    expect(given.notices.map(({ attempt, delayMs }) => [attempt, delayMs])).toEqual([
      [1, 500],
      [2, 1_000],
    ])
    expect(toldIn(given.model.requests[1])).toEqual(['fine'])
  })

  it('with linear backoff, each delay is longer by initialDelayMs', async () => {
    const given = flaky(9, { maxRetries: 4, backoff: 'linear', initialDelayMs: 200, maxDelayMs: 700 })
    const running = given.run()
    await given.middlewareClock.advance(10_000)
    await running.result
    expect(given.notices.map(({ delayMs }) => delayMs)).toEqual([200, 400, 600, 700])
  })

  it('toolRetry returns the last failure after maxRetries further attempts', async () => {
    const given = flaky(9, { maxRetries: 1, initialDelayMs: 0 })
    const running = given.run()
    await given.middlewareClock.advance(0)
    await running.result
    expect(given.calls()).toBe(2)
    expect(toldIn(given.model.requests[1])).toEqual(['busy'])
  })

  it('toolRetry does not repeat a call whose failure is not retryable', async () => {
    const given = flaky(9, {}, toolError('wrong arguments'))
    await given.run().result
    expect(given.calls()).toBe(1)
  })

  it('toolRetry waits as long as the tool’s retryAfterMs, and does not repeat the call if that exceeds maxWaitMs', async () => {
    const asking = toolError('later', { retryable: true, metadata: { retryAfterMs: 3_000 } })
    const given = flaky(1, { maxDelayMs: 10, maxWaitMs: 3_000 }, asking)
    const running = given.run()
    await given.middlewareClock.advance(3_000)
    await running.result
    expect(given.notices[0]?.delayMs).toBe(3_000)
    expect(given.calls()).toBe(2)

    const impatient = flaky(1, { maxWaitMs: 2_999 }, asking)
    await impatient.run().result
    expect(impatient.calls()).toBe(1)
    expect(toldIn(impatient.model.requests[1])).toEqual(['later'])
  })

  it('toolRetry stops waiting when the run is cancelled', async () => {
    const given = flaky(1)
    const running = given.run()
    await given.middlewareClock.advance(1)
    await running.cancel()
    expect(await running.result).toMatchObject({ status: 'cancelled' })
    expect(given.calls()).toBe(1)
    expect(given.middlewareClock.pending).toBe(0)
  })

  it('toolRetry announces no further attempt of a call that was stopped while it ran', async () => {
    const given = flaky(0)
    const notices: ToolRetryNotice[] = []
    const { tool } = toolRetry({ clock: given.middlewareClock, onRetry: notice => notices.push(notice) }).begin(
      {} as RunFacts,
      {} as RunProgress,
    )
    const signal = AbortSignal.abort()
    const failure = toolError('busy', { retryable: true })
    const stopped = { turn: 1, callId: 'c', tool: { name: 'flaky' }, input: {}, signal } as ToolCall
    expect(await tool?.(stopped, async () => failure)).toBe(failure)
    expect(notices).toEqual([])
  })

  it('toolRetry repeats a timed-out call only if the tool’s effect allows it', async () => {
    for (const effect of ['read', 'once'] as const) {
      let calls = 0
      const slow = defineTool({
        name: 'flaky',
        description: 'Slow.',
        input: z.object({}),
        effect,
        timeoutMs: 10,
        execute: (_, { signal }) => {
          calls += 1
          return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
        },
      })
      const clock = fakeClock()
      const again = setup([call, 'x'], [toolRetry({ initialDelayMs: 0, maxRetries: 1, clock })], { tools: [slow] })
      const running = again.run()
      for (let step = 0; step < 3; step++) {
        await again.clock.advance(10)
        await clock.advance(0)
      }
      await running.result
      expect([effect, calls]).toEqual([effect, effect === 'read' ? 2 : 1])
    }
  })

  it('the delay is never negative or longer than maxDelayMs, for any random value', async () => {
    const numbers = fc.record({
      random: fc.double({ min: 0, max: 1, noNaN: true }),
      jitter: fc.double({ min: 0, max: 1, noNaN: true }),
      initialDelayMs: fc.nat(100_000),
      maxDelayMs: fc.nat(60_000),
    })
    await fc.assert(
      fc.asyncProperty(numbers, async ({ random, ...options }) => {
        const given = flaky(1, { ...options, random: () => random })
        const running = given.run()
        await given.middlewareClock.advance(60_000)
        await running.result
        const delayMs = given.notices[0]?.delayMs ?? Number.NaN
        expect(delayMs).toBeGreaterThanOrEqual(0)
        expect(delayMs).toBeLessThanOrEqual(options.maxDelayMs)
      }),
      { numRuns: 30 },
    )
  })

  it.each([
    [{ maxRetries: -1 }, 'toolRetry.maxRetries: is -1'],
    [{ factor: 0.5 }, 'toolRetry.factor: is 0.5'],
    [{ maxRetry: 3 } as ToolRetryOptions, "toolRetry.maxRetry: is an unknown option; did you mean 'maxRetries'?"],
    [{ backoff: 'fast' } as unknown as ToolRetryOptions, "toolRetry.backoff: is 'fast'; must be exponential or linear"],
    [{ backoff: 'linear', factor: 3 } as const, 'toolRetry.factor: has no effect on linear backoff'],
  ])('toolRetry rejects %j', (options, message) => {
    expect(() => toolRetry(options)).toThrow(message)
  })
})
