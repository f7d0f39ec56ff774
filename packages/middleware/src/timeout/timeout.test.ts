import { defineTool } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { fakeClock } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { setup, toldIn } from '../__fixtures__/set-up-agent.ts'
import { timeout, type TimeoutOptions } from './timeout.ts'

const never = new Promise<never>(() => {})

describe('timeout of a model call', () => {
  const cases: readonly (readonly [string, TimeoutOptions, object])[] = [
    ['of the whole call', { modelMs: 100 }, { text: 'a', hang: true }],
    ['of the first token', { firstTokenMs: 100 }, { until: never }],
    ['between two events', { idleMs: 100 }, { text: 'a', hang: true }],
  ]
  it.each(cases)('the deadline %s fails the model call with model-timeout', async (_, options, answer) => {
    const clock = fakeClock()
    const { run } = setup([answer], [timeout({ ...options, clock })])
    const running = run()
    await clock.advance(99)
    await clock.advance(1)
    expect(await running.result).toMatchObject({ status: 'failed', error: { code: 'model-timeout', ms: 100 } })
    expect(clock.pending).toBe(0)
  })

  it('a timed-out model call does not wait for a provider that ignores its signal', async () => {
    const clock = fakeClock()
    let aborted = false
    const model = {
      provider: 'p',
      id: 'm',
      info: {},
      async *stream(_: unknown, { signal }: { readonly signal?: AbortSignal | undefined }) {
        signal?.addEventListener('abort', () => (aborted = true))
        await never
        yield { type: 'finish', reason: 'stop' } as const
      },
    }
    const agent = defineAgent({ name: 'a', model, middleware: [timeout({ modelMs: 10, clock })] })
    const running = createRuntime().run(agent, 'go')
    await clock.advance(10)
    expect(await running.result).toMatchObject({ error: { code: 'model-timeout', deadline: 'total' } })
    expect(aborted).toBe(true)
  })

  it('a model call within its deadlines is not affected', async () => {
    const clock = fakeClock()
    const { run } = setup(['fine'], [timeout({ modelMs: 10, firstTokenMs: 10, idleMs: 10, clock })])
    expect(await run().result).toMatchObject({ status: 'completed', text: 'fine' })
    expect(clock.pending).toBe(0)
  })
})

describe('timeout of a tool call', () => {
  function slow(ignoresSignal: boolean) {
    const clock = fakeClock()
    const state = { aborted: false }
    const tool = defineTool({
      name: 'slow',
      description: 'Takes its time.',
      input: z.object({}),
      execute: (_, { signal }) => {
        signal.addEventListener('abort', () => (state.aborted = true))
        if (ignoresSignal) return never
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
      },
    })
    return { clock, state, tool, script: [{ toolCalls: [{ name: 'slow' }] }, 'x'] }
  }

  it.each([
    ['that obeys its signal', false, 50],
    ['that ignores its signal, after one more second', true, 1_050],
  ])('a tool deadline ends the call of a handler %s, and tells the model', async (_, ignores, ms) => {
    const { clock, state, tool, script } = slow(ignores)
    const { run, model } = setup(script, [timeout({ toolMs: { slow: 50 }, clock })], { tools: [tool] })
    const running = run()
    await clock.advance(ms)
    await running.result
    expect(state.aborted).toBe(true)
    expect(toldIn(model.requests[1])).toEqual(["'slow' was stopped after 50 ms without a result."])
    expect(clock.pending).toBe(0)
  })

  it('a tool without a deadline of its own has none', async () => {
    const { clock, tool, script } = slow(false)
    const { run } = setup(script, [timeout({ toolMs: { constructor: 1 }, clock })], { tools: [tool] })
    const running = run()
    await clock.advance(5_000)
    await running.cancel()
    expect(await running.result).toMatchObject({ status: 'cancelled' })
  })

  it('timeout rejects a deadline of 0', () => {
    expect(() => timeout({ toolMs: { slow: 0 } })).toThrow('timeout.toolMs.slow: is 0; must be a number above 0')
  })
})
