import { createMemoryDeadLetters, ParleyError, type Store } from '@parley/core'
import { createEventBus } from '@parley/event-bus'
import { fakeClock, scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '@parley/memory-store'
import { createRuntime, defineAgent } from '../index.ts'

const settle = () => new Promise(resolve => setImmediate(resolve))

describe('health', () => {
  it('health reports active runs and the last model call', async () => {
    const clock = fakeClock()
    const gate = Promise.withResolvers<void>()
    const error = { code: 'model-auth', provider: 'p', detail: '' } as const
    const model = scriptedModel([{ until: gate.promise, text: 'ok' }, { error }])
    const runtime = createRuntime({ clock, agents: [defineAgent({ name: 'a', model })] })
    expect(await runtime.health()).toEqual({ alive: true, activeRuns: 0, queuedRuns: 0, store: 'none' })
    const run = runtime.run('a', 'go')
    await settle()
    expect(await runtime.health()).toMatchObject({ activeRuns: 1 })
    gate.resolve()
    await run.result
    expect(await runtime.health()).toMatchObject({ lastModelCall: { at: clock.now(), status: 'success' } })
    await clock.advance(5)
    await runtime.run('a', 'go').result
    expect(await runtime.health()).toMatchObject({
      lastModelCall: { at: clock.now(), status: { error: 'model-auth' } },
      activeRuns: 0,
    })
  })

  it('health reports the error of a store, even if the store never answers', async () => {
    const clock = fakeClock()
    const store = createMemoryStore()
    const failing = (runs: Store['runs']) => createRuntime({ clock, store: { ...store, runs } }).health()
    expect(await createRuntime({ clock, store }).health()).toMatchObject({ store: 'ok' })
    const error = { code: 'store-unavailable', store: 'x', detail: 'gone' } as const
    expect(await failing(() => Promise.reject(new ParleyError(error)))).toMatchObject({ store: { error } })
    const asking = failing(() => new Promise(() => {}))
    await clock.advance(5_000)
    expect(await asking).toMatchObject({
      store: {
        error: { code: 'store-unavailable', store: 'memory', detail: 'the store did not answer within 5000 ms' },
      },
    })
  })

  it('health reports the subscribers, backlog and dead letters of the bus', async () => {
    const clock = fakeClock()
    const deadLetters = createMemoryDeadLetters()
    const bus = createEventBus({ clock, deadLetters, capacity: 3 })
    bus.subscribe(() => new Promise(() => {}), { name: 'stuck' })
    bus.subscribe(() => {}, { name: 'fine' })
    const runtime = createRuntime({ clock, bus, agents: [defineAgent({ name: 'a', model: scriptedModel(['hi']) })] })
    await runtime.run('a', 'go').result
    await settle()
    const { bus: before } = await runtime.health()
    // Of six events, one is being delivered, three are in the buffer, and two did not fit.
    expect(before).toEqual({ subscribers: 2, backlog: 4, deadLetters: 2 })
    const broken = { ...deadLetters, count: () => Promise.reject(new Error('gone')) }
    const other = createRuntime({ clock, bus: createEventBus({ clock, deadLetters: broken }) })
    expect(await other.health()).toMatchObject({ bus: { error: { code: 'internal', detail: 'gone' } } })
  })
})

describe('a runtime with a bus', () => {
  it('a runtime publishes the events of all runs without waiting for subscribers', async () => {
    const clock = fakeClock()
    const bus = createEventBus({ clock, retry: { initialDelayMs: 10 } })
    const seen: string[] = []
    const slow = Promise.withResolvers<void>()
    bus.subscribe(event => void seen.push(`${'runId' in event ? event.runId : ''} ${event.type}`), { name: 'fine' })
    bus.subscribe(() => slow.promise, { name: 'slow' })
    bus.subscribe(
      () => {
        throw new Error('broken')
      },
      { name: 'broken' },
    )
    const agents = [defineAgent({ name: 'a', model: scriptedModel(() => 'hello there') })]
    const runtime = createRuntime({ clock, bus, agents })
    const runs = [runtime.run('a', 'one'), runtime.run('a', 'two')]
    for (const run of runs) expect(await run.result).toMatchObject({ status: 'completed' })
    await settle()
    for (const { runId } of runs) {
      expect(seen.filter(line => line.startsWith(runId)).map(line => line.split(' ')[1])).toEqual([
        'run.started',
        'message.appended',
        'model.started',
        'model.called',
        'message.appended',
        'run.ended',
      ])
    }
    slow.resolve()
  })

  it('a runtime publishes pieces of answers only while a subscriber wants them', async () => {
    const bus = createEventBus({ clock: fakeClock() })
    const agents = [defineAgent({ name: 'a', model: scriptedModel(() => ({ text: 'hello there', chunkSize: 5 })) })]
    const runtime = createRuntime({ bus, agents })
    const text: string[] = []
    const subscribe = () =>
      bus.subscribe(event => void (event.type === 'text.delta' && text.push(event.text)), {
        name: 'text',
        filter: { types: ['text.delta'], agent: 'a' },
      })
    await runtime.run('a', 'go').result
    const { unsubscribe } = subscribe()
    await runtime.run('a', 'go').result
    await bus.flush()
    unsubscribe()
    await runtime.run('a', 'go').result
    expect(text).toEqual(['hello', ' ther', 'e'])
  })

  it('a runtime publishes run.queued, model.retrying and run.interrupted', async () => {
    const bus = createEventBus({ clock: fakeClock() })
    const seen: string[] = []
    bus.subscribe(({ type }) => void seen.push(type), { name: 'x' })
    const error = { code: 'model-overloaded', provider: 'p', detail: '' } as const
    const model = scriptedModel(() => ({
      events: [
        { type: 'retry', attempt: 1, delayMs: 1, error },
        { type: 'finish', reason: 'stop' },
      ],
    }))
    const store = { ...createMemoryStore(), append: () => Promise.reject(new Error('disk full')) }
    const agents = [defineAgent({ name: 'a', model })]
    const runtime = createRuntime({ bus, agents, quota: { maxConcurrentRuns: 1 } })
    await Promise.all([runtime.run('a', 'go').result, runtime.run('a', 'go').result])
    await createRuntime({ bus, agents, store }).run('a', 'go').result
    await bus.flush()
    expect(seen.filter(type => ['run.queued', 'model.retrying', 'run.interrupted'].includes(type)).toSorted()).toEqual([
      'model.retrying',
      'model.retrying',
      'run.interrupted',
      'run.queued',
    ])
  })
})
