import {
  createId,
  createMemoryDeadLetters,
  type BusEvent,
  type DeadLetter,
  type RunEvent,
  type RuntimeEvent,
} from '@parley/core'
import { fakeClock } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createEventBus, type EventBusOptions, type EventHandler } from './index.ts'

const origin = { agent: 'a', scope: 'default' }
const place = { runId: 'r', sessionId: 's', path: [], at: 0 }

/** Entry number `seq` of a run. */
function event(seq: number, changes: Partial<RunEvent> = {}): RunEvent {
  return { v: 1, type: 'run.resumed', worker: 'w', seq, ...place, ...changes } as RunEvent
}

function delta(text: string): RunEvent {
  return { type: 'text.delta', turn: 1, text, seq: 1, ...place }
}

function seqOf(given: BusEvent): number {
  return 'seq' in given ? given.seq : 0
}

function setup(options: Partial<EventBusOptions> = {}) {
  const clock = fakeClock(1_000_000)
  const deadLetters = createMemoryDeadLetters()
  const bus = createEventBus({ clock, deadLetters, ...options })
  return {
    clock,
    deadLetters,
    bus,
    publish: (...seqs: number[]) => seqs.forEach(seq => bus.publish(event(seq), origin)),
  }
}

/** A handler that records its events. It fails the first `failures` times. */
function recorder(failures = 0) {
  const seen: string[] = []
  const handler: EventHandler = async (given, { attempt }) => {
    seen.push(`${seqOf(given)}#${attempt}`)
    if (failures-- > 0) throw new Error('not now')
  }
  return { seen, handler }
}

describe('an event bus', () => {
  it('the bus delivers to each subscriber the events its filter matches, in order, after publish has returned', async () => {
    const { bus, publish } = setup()
    const all = recorder()
    const others = recorder()
    bus.subscribe(all.handler, { name: 'all' })
    bus.subscribe(others.handler, { name: 'others', filter: { agent: 'b' } })
    publish(1, 2, 3)
    bus.publish(event(4), { ...origin, agent: 'b' })
    expect(all.seen).toEqual([])
    await bus.flush()
    expect(all.seen).toEqual(['1#1', '2#1', '3#1', '4#1'])
    expect(others.seen).toEqual(['4#1'])
  })

  it.each([
    [{ types: ['run.ended' as const] }, []],
    [{ types: ['run.resumed' as const, 'run.ended' as const] }, ['1#1']],
    [{ scope: 'default' }, ['1#1']],
    [{ scope: 'other' }, []],
    [{ sessionId: 's', runId: 'r', agent: 'a' }, ['1#1']],
    [{ sessionId: 's2' }, []],
    [{ runId: 'r2' }, []],
  ])('a subscriber with the filter %j gets exactly the events that match it', async (filter, expected) => {
    const { bus, publish } = setup()
    const { seen, handler } = recorder()
    bus.subscribe(handler, { name: 'x', filter })
    publish(1)
    await bus.flush()
    expect(seen).toEqual(expected)
  })

  it('the bus delivers stream pieces only to subscribers that name their type', async () => {
    const { bus } = setup()
    const plain = recorder()
    const named: BusEvent[] = []
    expect(bus.wants('text.delta')).toBe(false)
    bus.subscribe(plain.handler, { name: 'plain' })
    expect(bus.wants('text.delta')).toBe(false)
    const { unsubscribe } = bus.subscribe(given => void named.push(given), {
      name: 'named',
      filter: { types: ['text.delta'] },
    })
    expect(bus.wants('text.delta')).toBe(true)
    bus.publish(delta('hi'), origin)
    await bus.flush()
    expect(plain.seen).toEqual([])
    expect(named).toEqual([delta('hi')])
    unsubscribe()
    expect(bus.wants('text.delta')).toBe(false)
  })

  it('the bus doubles the wait before each retry and keeps the order of events', async () => {
    const { bus, clock, publish, deadLetters } = setup({ retry: { initialDelayMs: 100 } })
    const { seen, handler } = recorder(2)
    bus.subscribe(handler, { name: 'x' })
    publish(1, 2)
    await clock.advance(99)
    expect(seen).toEqual(['1#1'])
    await clock.advance(1)
    expect(seen).toEqual(['1#1', '1#2'])
    await clock.advance(199)
    expect(seen).toHaveLength(2)
    await clock.advance(1)
    expect(seen).toEqual(['1#1', '1#2', '1#3', '2#1'])
    expect(await deadLetters.count()).toBe(0)
  })

  it('the bus waits at most maxDelayMs, and equally long each time with factor 1', async () => {
    for (const [retry, pause] of [
      [{ initialDelayMs: 100, maxDelayMs: 150 }, 150],
      [{ initialDelayMs: 100, factor: 1 }, 100],
    ] as const) {
      const { bus, clock, publish } = setup({ retry })
      const { seen, handler } = recorder(3)
      bus.subscribe(handler, { name: 'x' })
      publish(1)
      await clock.advance(100 + pause + pause - 1)
      expect(seen).toHaveLength(3)
      await clock.advance(1)
      expect(seen).toHaveLength(4)
    }
  })

  it('the bus keeps an event as a dead letter after the last attempt and delivers the next one, without delaying other subscribers', async () => {
    const { bus, clock, publish, deadLetters } = setup({ retry: { initialDelayMs: 10, maxRetries: 2 } })
    const broken = recorder(3)
    const fine = recorder()
    bus.subscribe(broken.handler, { name: 'broken' })
    bus.subscribe(fine.handler, { name: 'fine' })
    publish(1, 2)
    await clock.advance(0)
    expect(fine.seen).toEqual(['1#1', '2#1'])
    await clock.advance(1_000)
    expect(broken.seen).toEqual(['1#1', '1#2', '1#3', '2#1'])
    const letter: Partial<DeadLetter> = {
      subscriber: 'broken',
      event: event(1),
      ...origin,
      reason: 'failed',
      detail: 'not now',
      attempts: 3,
    }
    expect(await bus.deadLetters.list()).toMatchObject([letter])
    expect(await deadLetters.count()).toBe(1)
    expect((await bus.stats()).subscribers).toMatchObject([
      { name: 'broken', delivered: 1, failed: 3, backlog: 0 },
      { name: 'fine', delivered: 2, failed: 0 },
    ])
  })

  it('the bus aborts a delivery after timeoutMs, aborts the signal of its handler and delivers the next event', async () => {
    const { bus, clock, publish } = setup({ timeoutMs: 50, retry: { maxRetries: 0 } })
    const signals: AbortSignal[] = []
    bus.subscribe(
      (_, { signal }) => {
        signals.push(signal)
        return new Promise(() => {})
      },
      { name: 'hangs' },
    )
    publish(1, 2)
    await clock.advance(50)
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
    await clock.advance(50)
    expect(await bus.deadLetters.list()).toMatchObject([
      { reason: 'timeout', detail: 'did not settle within 50 ms' },
      { reason: 'timeout' },
    ])
  })

  it('a full buffer accepts every critical event and drops none of them', async () => {
    const closing: RuntimeEvent = { type: 'runtime.closing', worker: 'w', at: 0, critical: true, runs: 1 }
    for (const overflow of ['dead-letter', 'drop-oldest'] as const) {
      const { bus, publish } = setup({ capacity: 2 })
      const seen: string[] = []
      bus.subscribe(given => void seen.push('seq' in given ? String(given.seq) : given.type), { name: 'x', overflow })
      publish(1, 2)
      bus.publish(closing)
      publish(3, 4, 5)
      bus.publish(closing)
      await bus.flush()
      const kept = overflow === 'dead-letter' ? ['1', '2', 'runtime.closing'] : ['runtime.closing', '4', '5']
      expect(seen).toEqual([...kept, 'runtime.closing'])
      const letters = await bus.deadLetters.list()
      expect(letters.map(letter => seqOf(letter.event))).toEqual(overflow === 'dead-letter' ? [3, 4, 5] : [])
    }
  })

  it('an event of no run reaches only subscribers without run filters, with empty agent and scope', async () => {
    const { bus } = setup()
    const seen: string[] = []
    const filters = {
      all: {},
      named: { types: ['runtime.closing'] },
      other: { types: ['runtime.closed'] },
      agent: { agent: 'a' },
      scope: { scope: '' },
      session: { sessionId: 's' },
      run: { runId: 'r' },
    } as const
    for (const [name, filter] of Object.entries(filters)) {
      bus.subscribe((_, { agent, scope }) => void seen.push(`${name}:${agent}:${scope}`), { name, filter })
    }
    bus.publish({ type: 'runtime.closing', worker: 'w', at: 0, critical: true, runs: 0 })
    await bus.flush()
    expect(seen).toEqual(['all::', 'named::'])
  })

  it('a new event becomes a dead letter when the buffer is full', async () => {
    const { bus, publish } = setup({ capacity: 2 })
    const { seen, handler } = recorder()
    bus.subscribe(handler, { name: 'x' })
    publish(1, 2, 3, 4)
    await bus.flush()
    expect(seen).toEqual(['1#1', '2#1'])
    const letters = await bus.deadLetters.list()
    expect(letters.map(({ event: given, reason, attempts }) => [seqOf(given), reason, attempts])).toEqual([
      [3, 'overflow', 0],
      [4, 'overflow', 0],
    ])
  })

  it('overflow drop-oldest drops the oldest event of a full buffer and counts it', async () => {
    const { bus, publish } = setup()
    const { seen, handler } = recorder()
    bus.subscribe(handler, { name: 'x', capacity: 2, overflow: 'drop-oldest' })
    publish(1, 2, 3, 4)
    await bus.flush()
    expect(seen).toEqual(['3#1', '4#1'])
    expect(await bus.stats()).toMatchObject({ subscribers: [{ dropped: 2 }], deadLetters: 0 })
  })

  it('unsubscribe drops the events in the buffer', async () => {
    const { bus, publish } = setup()
    const { seen, handler } = recorder()
    const subscription = bus.subscribe(handler, { name: 'x' })
    publish(1)
    subscription.unsubscribe()
    publish(2)
    await bus.flush()
    expect(seen).toEqual([])
    expect(await bus.stats()).toEqual({ subscribers: [], deadLetters: 0 })
  })

  it('close aborts the running handler and keeps undelivered events as dead letters', async () => {
    const { bus, clock, publish } = setup()
    let aborted = false
    bus.subscribe(
      (_, { signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => {
            aborted = true
          })
        }),
      { name: 'x' },
    )
    publish(1, 2)
    await clock.advance(0)
    await bus.close()
    await bus.close()
    publish(3)
    expect(aborted).toBe(true)
    const letters = await bus.deadLetters.list()
    expect(letters.map(({ event: given, reason, attempts }) => [seqOf(given), reason, attempts])).toEqual([
      [1, 'closed', 1],
      [2, 'closed', 0],
    ])
    expect(clock.pending).toBe(0)
    expect(() => bus.subscribe(() => {}, { name: 'y' })).toThrow('bus: is closed')
  })

  it('flush rejects with the reason of its signal', async () => {
    const { bus, publish } = setup()
    bus.subscribe(() => new Promise(() => {}), { name: 'x' })
    publish(1)
    await expect(bus.flush({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
  })
})

describe('dead letters', () => {
  it('redrive delivers dead letters again and removes each one after its handler resolved', async () => {
    const { bus, clock, publish } = setup({ retry: { maxRetries: 0 } })
    const { seen, handler } = recorder(2)
    bus.subscribe(handler, { name: 'x' })
    publish(1, 2)
    await bus.flush()
    expect(await bus.deadLetters.redrive()).toEqual({ queued: 2, left: 0 })
    await clock.advance(0)
    expect(seen).toEqual(['1#1', '2#1', '1#2', '2#2'])
    expect(await bus.deadLetters.list()).toEqual([])
  })

  it('a dead letter that fails again stays, with its attempts added up', async () => {
    const { bus, clock, publish } = setup({ retry: { maxRetries: 1, initialDelayMs: 1 } })
    const { handler } = recorder(4)
    bus.subscribe(handler, { name: 'x' })
    publish(1)
    await clock.advance(10)
    const [before] = await bus.deadLetters.list()
    await bus.deadLetters.redrive({ id: before?.id })
    await clock.advance(10)
    const after = await bus.deadLetters.list()
    expect(after).toMatchObject([{ id: before?.id, attempts: 4 }])
    expect(after[0]?.failedAt).toBeGreaterThan(before?.failedAt ?? 0)
    await bus.deadLetters.redrive()
    await clock.advance(10)
    expect(await bus.deadLetters.list()).toEqual([])
  })

  it('a dead letter stays until a subscriber has its name, and two redrives queue it once', async () => {
    const { bus, deadLetters, clock } = setup()
    const letter = { subscriber: 'x', event: event(1), ...origin, reason: 'failed', detail: '', attempts: 1 } as const
    await deadLetters.put({ ...letter, id: createId(1), failedAt: 1 })
    expect(await bus.deadLetters.redrive()).toEqual({ queued: 0, left: 1 })
    const { seen, handler } = recorder()
    bus.subscribe(handler, { name: 'x' })
    const reports = [await bus.deadLetters.redrive(), await bus.deadLetters.redrive({ subscriber: 'x' })]
    await clock.advance(0)
    expect(reports.map(({ queued }) => queued).reduce((a, b) => a + b)).toBe(1)
    expect(seen).toEqual(['1#2'])
  })

  it('remove deletes a dead letter and tells whether it existed', async () => {
    const { bus, publish } = setup({ capacity: 1 })
    bus.subscribe(() => {}, { name: 'x' })
    publish(1, 2)
    await bus.flush()
    const [letter] = await bus.deadLetters.list()
    expect(await bus.deadLetters.remove(letter?.id ?? '')).toBe(true)
    expect(await bus.deadLetters.remove(letter?.id ?? '')).toBe(false)
  })

  it('the bus removes dead letters beyond maxDeadLetters and older than retentionMs', async () => {
    const { bus, clock, publish } = setup({ retry: { maxRetries: 0 }, maxDeadLetters: 2, retentionMs: 1_000 })
    const { handler } = recorder(10)
    bus.subscribe(handler, { name: 'x' })
    publish(1, 2, 3)
    await bus.flush()
    expect((await bus.deadLetters.list()).map(letter => seqOf(letter.event))).toEqual([2, 3])
    await clock.advance(2_000)
    publish(4)
    await bus.flush()
    expect((await bus.deadLetters.list()).map(letter => seqOf(letter.event))).toEqual([4])
  })

  it('the bus holds dead letters while their store fails and stores them at the next flush', async () => {
    const working = createMemoryDeadLetters()
    let down = true
    const put: typeof working.put = letter => (down ? Promise.reject(new Error('down')) : working.put(letter))
    const { bus, publish } = setup({ retry: { maxRetries: 0 }, deadLetters: { ...working, put } })
    bus.subscribe(recorder(1).handler, { name: 'x' })
    publish(1)
    await expect(bus.flush()).rejects.toThrow('down')
    expect(await working.count()).toBe(0)
    down = false
    await bus.flush()
    expect(await working.list()).toMatchObject([{ event: event(1), reason: 'failed' }])
  })
})

describe('invalid options', () => {
  it.each([
    [{ capacity: 0 }, 'bus.capacity: is 0'],
    [{ retry: { maxRetries: 1.5 } }, 'bus.retry.maxRetries: is 1.5'],
    [{ retry: { maxWaitMs: 1 } as object }, 'bus.retry.maxWaitMs: has no effect'],
    [{ maxDeadLetters: -1 }, 'bus.maxDeadLetters: is -1'],
    [{ retry: { initialDelayMs: -1 } }, 'bus.retry.initialDelayMs: is -1'],
    [{ timeoutMs: Number.NaN }, 'bus.timeoutMs: is NaN'],
    [{ retry: { backoff: 'wild' as 'linear' } }, "bus.retry.backoff: is 'wild'"],
  ])('createEventBus rejects %j with the error %s', (options, message) => {
    expect(() => createEventBus(options)).toThrow(message)
  })

  it('subscribe rejects invalid options and a name that is taken', () => {
    const { bus } = setup()
    bus.subscribe(() => {}, { name: 'x' })
    expect(() => bus.subscribe(() => {}, { name: 'x' })).toThrow(
      'bus.subscribers.x: is already the name of a subscriber',
    )
    expect(() => bus.subscribe(() => {}, { name: '' })).toThrow('bus.subscribers: requires a name for each subscriber')
    const overflow = 'explode' as 'drop-oldest'
    expect(() => bus.subscribe(() => {}, { name: 'y', overflow })).toThrow("bus.subscribers.y.overflow: is 'explode'")
    expect(() => bus.subscribe(() => {}, { name: 'y', capacity: 0 })).toThrow('bus.subscribers.y.capacity: is 0')
  })
})
