import { createMemoryDeadLetters, defineTool, type BusEvent, type RuntimeEvent } from '@parley/core'
import { createEventBus } from '@parley/event-bus'
import { fakeClock, scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createRuntime, defineAgent, type RuntimeOptions } from '../index.ts'

const settle = () => new Promise(resolve => setImmediate(resolve))
const work = defineTool({
  name: 'work',
  description: 'Works until it is stopped.',
  input: { type: 'object' },
  execute: (_, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
})

function setup(options: Partial<RuntimeOptions> = {}) {
  const clock = fakeClock(1_000)
  const order: string[] = []
  const told: RuntimeEvent[] = []
  const deadLetters = createMemoryDeadLetters()
  const bus = createEventBus({ clock, deadLetters })
  const note = async (event: BusEvent): Promise<void> => {
    await settle()
    order.push(event.type)
    if ('critical' in event) told.push(event)
  }
  bus.subscribe(note, { name: 'audit', filter: { types: ['runtime.closing', 'run.ended', 'runtime.closed'] } })
  const model = scriptedModel(() => ({ toolCalls: [{ name: 'work' }] }))
  const agents = [defineAgent({ name: 'a', model, tools: [work] })]
  const given = { clock, bus, agents, worker: 'here', ...options }
  const closes = (name: string, report?: object) => ({ close: async () => (order.push(name), report) })
  return { clock, order, told, bus, deadLetters, closes, given }
}

describe('the events of a closing runtime', () => {
  it('a runtime publishes runtime.closing first, and runtime.closed with the outcome before the bus closes', async () => {
    const { clock, order, told, bus, closes, given } = setup()
    const close = bus.close.bind(bus)
    bus.close = () => (order.push('bus'), close())
    const resources = [closes('store'), bus, closes('server', { outcome: 'killed' })]
    const runtime = createRuntime({ ...given, resources })
    const runs = [runtime.run('a', 'one'), runtime.run('a', 'two')]
    await settle()
    const closing = runtime.close({ drainMs: 50 })
    await clock.advance(50)
    const report = await closing
    expect(order).toEqual(['runtime.closing', 'run.ended', 'run.ended', 'server', 'runtime.closed', 'bus', 'store'])
    const { errors: _, ...counted } = report
    expect(told).toEqual([
      { type: 'runtime.closing', worker: 'here', at: 1_000, critical: true, runs: 2 },
      { type: 'runtime.closed', worker: 'here', at: 1_050, critical: true, ...counted },
    ])
    expect(report).toMatchObject({ exitCode: 1, cancelled: 2, killed: 1 })
    for (const run of runs) expect((await run.result).status).toBe('cancelled')
  })

  it('a runtime publishes its end once, even if the bus stays open', async () => {
    const { order, told, closes, given } = setup()
    const runtime = createRuntime({ ...given, resources: [closes('one'), closes('two')] })
    await Promise.all([runtime.close(), runtime.close()])
    await runtime.close()
    expect(order).toEqual(['runtime.closing', 'two', 'one', 'runtime.closed'])
    expect(told.at(-1)).toMatchObject({ exitCode: 0, drained: 0, cancelled: 0, suspended: 0, abandoned: 0, killed: 0 })
  })

  it('runtime.closed becomes a dead letter for a subscriber that does not handle it', async () => {
    const { clock, bus, deadLetters, given } = setup()
    bus.subscribe(() => new Promise(() => {}), { name: 'stuck' })
    const runtime = createRuntime({ ...given, resources: [bus] })
    const closing = runtime.close({ graceMs: 100 })
    await clock.advance(100)
    expect((await closing).exitCode).toBe(1)
    const letters = await deadLetters.list({ subscriber: 'stuck' })
    expect(letters.map(({ event, reason }) => `${event.type} ${reason}`).toSorted()).toEqual([
      'runtime.closed closed',
      'runtime.closing closed',
    ])
  })
})
