import { defineTool, ParleyError, type Store } from '@parley/core'
import { fakeClock, scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createRuntime, defineAgent } from '../index.ts'
import { createMemoryStore } from '@parley/memory-store'
import { createLease } from './lease.ts'

/** A lease whose heartbeats wait for `answer`. */
function setupLease() {
  const beats: PromiseWithResolvers<void>[] = []
  const heartbeat = (): Promise<void> => {
    const beat = Promise.withResolvers<void>()
    beats.push(beat)
    return beat.promise
  }
  const store = { ...createMemoryStore(), heartbeat }
  const clock = fakeClock()
  return { beats, clock, lease: createLease({ store, worker: 'w', clock, leaseMs: 9_000 }) }
}

describe('the first heartbeat of a worker', () => {
  it('a worker may claim runs only after the store has its heartbeat', async () => {
    const { beats, lease } = setupLease()
    let isAlive = false
    const alive = lease.alive().then(() => (isAlive = true))
    for (let tick = 0; tick < 10; tick++) await Promise.resolve()
    expect([beats.length, isAlive]).toEqual([1, false])
    beats[0]?.resolve()
    await alive
    await lease.alive()
    expect(beats).toHaveLength(1)
  })

  it('a run is claimed only after the store has the heartbeat of its new worker', async () => {
    const { gate, first, store } = setup()
    const { runId } = first.runtime.run('a', 'go')
    await first.clock.advance(1_000)
    const events: string[] = []
    const watched: Store = {
      ...store,
      heartbeat: async beat => {
        await new Promise(resolve => setImmediate(resolve))
        await store.heartbeat(beat)
        events.push('heartbeat')
      },
      claim: async request => {
        events.push('claim')
        return store.claim(request)
      },
    }
    const agents = [defineAgent({ name: 'a', model: scriptedModel(['Mine.']) })]
    const run = await createRuntime({ agents, store: watched, clock: fakeClock() }).resume(runId, { force: true })
    expect(events.slice(0, 2)).toEqual(['heartbeat', 'claim'])
    expect((await run.result).status).toBe('completed')
    gate.resolve()
  })

  it('a heartbeat that failed does not count, and the next claim sends another', async () => {
    const { beats, lease } = setupLease()
    const failing = lease.alive()
    beats[0]?.reject(new ParleyError({ code: 'store-unavailable', store: 'x', detail: 'y' }))
    await expect(failing).rejects.toMatchObject({ code: 'store-unavailable' })
    const alive = lease.alive()
    expect(beats).toHaveLength(2)
    beats[1]?.resolve()
    await alive
  })
})

describe('the heartbeats of a worker', () => {
  it('a heartbeat counts for less than a third of the lease, and then the next claim sends another', async () => {
    const { beats, clock, lease } = setupLease()
    const alive = lease.alive()
    beats[0]?.resolve()
    await alive
    await clock.advance(2_999)
    await lease.alive()
    expect(beats).toHaveLength(1)
    await clock.advance(1)
    void lease.alive()
    expect(beats).toHaveLength(2)
  })

  it('a run that begins a third of the lease after the last heartbeat sends another at once, and an earlier one waits', async () => {
    const { beats, clock, lease } = setupLease()
    const alive = lease.alive()
    beats[0]?.resolve()
    await alive
    await clock.advance(2_999)
    lease.hold()()
    expect(beats).toHaveLength(1)
    await clock.advance(1)
    lease.hold()
    expect(beats).toHaveLength(2)
  })

  it('a worker sends heartbeats until the last of its runs ends', async () => {
    const { beats, clock, lease } = setupLease()
    const [first, second] = [lease.hold(), lease.hold()]
    await clock.advance(3_000)
    expect(beats).toHaveLength(2)
    first()
    await clock.advance(3_000)
    expect(beats).toHaveLength(3)
    second()
    await clock.advance(9_000)
    expect(beats).toHaveLength(3)
    expect(clock.pending).toBe(0)
  })

  it('a closed lease sends no heartbeat', async () => {
    const { beats, clock, lease } = setupLease()
    lease.hold()
    lease.close()
    expect(clock.pending).toBe(0)
    expect(beats).toHaveLength(1)
  })
})

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
