import { defineTool, toolError, type ErrorInfo } from '@parley/core'
import { fakeClock } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { setup, toldIn } from '../__fixtures__/set-up-agent.ts'
import { createCircuitBreaker, type CircuitChange } from './create-circuit-breaker.ts'

const down: ErrorInfo = { code: 'model-server', provider: 'scripted', detail: 'down' }

/** Creates an agent whose model fails while `state.up` is false. */
function unstable(error: ErrorInfo = down) {
  const clock = fakeClock()
  const changes: CircuitChange[] = []
  const state = { up: false }
  const breaker = createCircuitBreaker({ failures: 2, openMs: 1_000, clock, onChange: change => changes.push(change) })
  const given = setup(() => (state.up ? 'fine' : { events: [], error }), [breaker])
  const ask = async () => {
    const result = await given.run().result
    return result.status === 'failed' ? result.error.code : result.status
  }
  return { ...given, state, changes, ask, time: clock, asked: () => given.model.requests.length }
}

describe('circuit breaker', () => {
  it('a circuit opens after failures in a row, allows one trial call later, and closes if it succeeds', async () => {
    const { ask, asked, state, changes, time } = unstable()
    expect([await ask(), await ask()]).toEqual(['model-server', 'model-server'])
    expect(await ask()).toBe('model-overloaded')
    expect(asked()).toBe(2)

    await time.advance(1_000)
    expect(await ask()).toBe('model-server')
    expect(await ask()).toBe('model-overloaded')

    await time.advance(1_000)
    state.up = true
    expect([await ask(), await ask()]).toEqual(['completed', 'completed'])
    expect(changes.map(change => change.state)).toEqual(['open', 'half-open', 'open', 'half-open', 'closed'])
    expect(changes[0]?.circuit).toBe('model scripted/script')
  })

  it('a success resets the count of failures', async () => {
    const { ask, state, changes } = unstable()
    await ask()
    state.up = true
    await ask()
    state.up = false
    await ask()
    expect(changes).toEqual([])
  })

  it('an invalid request does not count as a failure of the model', async () => {
    const { ask, changes } = unstable({ code: 'model-invalid-request', provider: 'scripted', detail: '' })
    for (let call = 0; call < 5; call++) expect(await ask()).toBe('model-invalid-request')
    expect(changes).toEqual([])
  })

  it('a half-open circuit allows only one trial call at a time', async () => {
    const clock = fakeClock()
    const gate = Promise.withResolvers<void>()
    const breaker = createCircuitBreaker({ failures: 1, openMs: 100, clock })
    const script = [{ events: [], error: down }, { until: gate.promise, text: 'back' }, 'x']
    const { run, model } = setup(script, [breaker])
    await run().result
    await clock.advance(100)
    const probe = run()
    expect(await run().result).toMatchObject({ error: { code: 'model-overloaded' } })
    gate.resolve()
    expect(await probe.result).toMatchObject({ text: 'back' })
    expect(model.requests).toHaveLength(2)
  })

  it('a tool has its own circuit, and the model is told that the circuit is open', async () => {
    const clock = fakeClock()
    let calls = 0
    const broken = defineTool({
      name: 'broken',
      description: 'Fails.',
      input: z.object({}),
      execute: () => {
        calls += 1
        return toolError('no')
      },
    })
    const call = { toolCalls: [{ name: 'broken' }] }
    const { run, model } = setup([call, call, call, 'x'], [createCircuitBreaker({ failures: 2, clock })], {
      tools: [broken],
    })
    await run().result
    expect(calls).toBe(2)
    expect(toldIn(model.requests[3]).at(-1)).toContain("'broken' was not run: it failed too often in a row")
  })

  it('with watch tools, the circuit breaker ignores failures of models', async () => {
    const { run, model } = setup(
      () => ({ events: [], error: down }),
      [createCircuitBreaker({ failures: 1, watch: 'tools', clock: fakeClock() })],
    )
    for (let call = 0; call < 3; call++) await run().result
    expect(model.requests).toHaveLength(3)
  })
})
