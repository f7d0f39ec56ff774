import { defineTool } from '@parley/core'
import { fakeClock, scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createRuntime, defineAgent } from '../index.ts'
import { createMemoryStore } from '@parley/memory-store'

/** Two processes over one store, each with its own fake clock. */
function setup() {
  const store = createMemoryStore()
  const gate = Promise.withResolvers<void>()
  const ran: string[] = []
  const wait = defineTool({
    name: 'wait',
    description: 'Waits.',
    input: { type: 'object' },
    effect: 'once',
    async execute(_, { callId }) {
      ran.push(callId)
      await gate.promise
      return 'waited'
    },
  })
  const worker = (name: string) => {
    const clock = fakeClock()
    const model = scriptedModel(({ messages }) =>
      messages.length === 1 ? { toolCalls: [{ name: 'wait' }] } : `${name} ends it.`,
    )
    const agents = [defineAgent({ name: 'a', model, tools: [wait] })]
    return { clock, runtime: createRuntime({ agents, store, clock, worker: name, leaseMs: 9_000 }) }
  }
  return { store, gate, ran, first: worker('first'), second: worker('second') }
}

describe('a run another worker drives', () => {
  it('a run of a live worker cannot be claimed', async () => {
    const { gate, first, second } = setup()
    const run = first.runtime.run('a', 'go')
    for (let passed = 0; passed < 60_000; passed += 5_000) {
      await first.clock.advance(5_000)
      await second.clock.advance(5_000)
      await expect(second.runtime.resume(run.runId)).rejects.toThrow("is being driven by worker 'first'")
    }
    gate.resolve()
    expect(await run.result).toMatchObject({ status: 'completed', text: 'first ends it.' })
  })

  it('a run of a dead worker is claimed, repeats no once tool, and the first worker can no longer write', async () => {
    const { gate, ran, first, second, store } = setup()
    const run = first.runtime.run('a', 'go')
    await first.clock.advance(1_000)
    await second.clock.advance(30_000)
    const taken = await second.runtime.resume(run.runId)
    expect(await taken.result).toMatchObject({ status: 'completed', text: 'second ends it.' })
    gate.resolve()
    expect(await run.result).toMatchObject({ status: 'interrupted', error: { code: 'store-fenced' } })
    expect(ran).toHaveLength(1)
    const told = (await store.read(run.runId)).flatMap(entry =>
      entry.type === 'tool.ended' ? [entry.error?.code] : [],
    )
    expect(told).toEqual(['tool-interrupted'])
  })

  it('a run is claimed at once if its worker is known to be gone, or by force', async () => {
    const { gate, first, store } = setup()
    const run = first.runtime.run('a', 'go')
    await first.clock.advance(1_000)
    const agents = [defineAgent({ name: 'a', model: scriptedModel(['Mine.']) })]
    const isWorkerGone = (worker: string): boolean => worker === 'first'
    const third = createRuntime({ agents, store, clock: fakeClock(), isWorkerGone })
    expect(await (await third.resume(run.runId)).result).toMatchObject({ status: 'completed', text: 'Mine.' })
    gate.resolve()
    expect((await run.result).status).toBe('interrupted')
  })

  it('watchers of a run that lost its claim receive run.interrupted', async () => {
    const { gate, first, second } = setup()
    const run = first.runtime.run('a', 'go')
    const types: string[] = []
    const watching = (async () => {
      for await (const event of run) types.push(event.type)
    })()
    await first.clock.advance(1_000)
    await (
      await second.runtime.resume(run.runId, { force: true })
    ).result
    gate.resolve()
    await watching
    expect(types.at(-1)).toBe('run.interrupted')
  })

  it('a worker without runs sends no heartbeat', async () => {
    const { gate, first } = setup()
    const run = first.runtime.run('a', 'go')
    await first.clock.advance(4_000)
    gate.resolve()
    await run.result
    await new Promise(resolve => setImmediate(resolve))
    expect(first.clock.pending).toBe(0)
  })
})
