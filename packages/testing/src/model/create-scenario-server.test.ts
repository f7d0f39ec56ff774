import { describe, expect, it } from 'vitest'
import { MODEL_SCENARIOS, type ModelScenario } from './model-scenario.ts'
import { createScenarioServer } from './create-scenario-server.ts'

const wire = {
  body: ({ text }: ModelScenario) => [...text, new TextEncoder().encode(' end')],
  error: 'slow down',
  headers: { 'x-a': 'b' },
}

describe('createScenarioServer', () => {
  it('createScenarioServer sends every part of a complete answer and is idle after that', async () => {
    const { fetch, idle } = createScenarioServer(MODEL_SCENARIOS.text, wire)
    const response = await fetch('http://model')
    expect([response.status, response.headers.get('x-a')]).toEqual([200, 'b'])
    expect(await response.text()).toBe('It is sunny in Oslo. ☀ end')
    await idle()
  })

  it('createScenarioServer sends the error body with status 429', async () => {
    const response = await createScenarioServer(MODEL_SCENARIOS['error-429'], wire).fetch('http://model')
    expect([response.status, await response.text()]).toEqual([429, 'slow down'])
  })

  it('createScenarioServer ends the body after the first part of an answer that is cut', async () => {
    const response = await createScenarioServer(MODEL_SCENARIOS['cut-stream'], wire).fetch('http://model')
    expect(await response.text()).toBe('It is ')
  })

  it('createScenarioServer rejects with the reason of an abort, before the response and within its body', async () => {
    for (const name of ['silent', 'stalled'] as const) {
      const { fetch, idle } = createScenarioServer(MODEL_SCENARIOS[name], wire)
      const controller = new AbortController()
      const reading = fetch('http://model', { signal: controller.signal }).then(response => response.text())
      setTimeout(() => controller.abort('enough'), 5)
      await expect(reading).rejects.toBe('enough')
      await idle()
    }
  })

  it('createScenarioServer is idle after the reader cancels the body', async () => {
    const { fetch, idle } = createScenarioServer(MODEL_SCENARIOS.stalled, wire)
    const response = await fetch('http://model')
    let isIdle = false
    const becomingIdle = idle().then(() => (isIdle = true))
    await new Promise(resolve => setImmediate(resolve))
    expect(isIdle).toBe(false)
    await response.body?.cancel()
    await becomingIdle
  })
})
