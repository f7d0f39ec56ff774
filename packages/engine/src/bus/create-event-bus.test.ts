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
import { createEventBus, type EventBusOptions, type EventHandler } from '../index.ts'

const origin = { agent: 'a', scope: 'default' }
const place = { runId: 'r', sessionId: 's', path: [], at: 0 }

/** The nth entry of a run. */
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

/** A handler that notes what it is given, and fails as often as it is told to. */
function recorder(failures = 0) {
  const seen: string[] = []
  const handler: EventHandler = async (given, { attempt }) => {
    seen.push(`${seqOf(given)}#${attempt}`)
    if (failures-- > 0) throw new Error('not now')
  }
  return { seen, handler }
}

describe('an event bus', () => {
  it('hands every subscriber the events it asks for, in order, after publish has returned', async () => {
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
  ])('filters by %j', async (filter, expected) => {
    const { bus, publish } = setup()
    const { seen, handler } = recorder()
    bus.subscribe(handler, { name: 'x', filter })
    publish(1)
    await bus.flush()
    expect(seen).toEqual(expected)
  })

  it('gives pieces of answers only to who names them', async () => {
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

  it('tries again, each pause twice as long, and keeps the order meanwhile', async () => {
    const { bus, clock, publish, deadLetters } = setup({ retryDelayMs: 100 })
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

  it('pauses no longer than the longest pause, and evenly when told to', async () => {
    for (const [options, pause] of [
      [{ retryDelayMs: 100, maxRetryDelayMs: 150 }, 150],
      [{ retryDelayMs: 100, backoff: 'fixed' as const }, 100],
    ] as const) {
      const { bus, clock, publish } = setup(options)
      const { seen, handler } = recorder(3)
      bus.subscribe(handler, { name: 'x' })
      publish(1)
      await clock.advance(100 + pause + pause - 1)
      expect(seen).toHaveLength(3)
      await clock.advance(1)
      expect(seen).toHaveLength(4)
    }
  })

  it('keeps an event that is never taken as a dead letter, and goes on with the next; others notice nothing', async () => {
    const { bus, clock, publish, deadLetters } = setup({ retryDelayMs: 10, maxAttempts: 3 })
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

  it('ends a delivery that takes too long, tells the handler, and goes on', async () => {
    const { bus, clock, publish } = setup({ timeoutMs: 50, maxAttempts: 1 })
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

  it('keeps a place for what is critical, and drops none of it, however many others wait', async () => {
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

  it('hands events of no run to those who ask for none, with no agent and no scope', async () => {
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

  it('keeps what does not fit a full buffer as dead letters', async () => {
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

  it('drops and counts the oldest instead where that is asked for', async () => {
    const { bus, publish } = setup()
    const { seen, handler } = recorder()
    bus.subscribe(handler, { name: 'x', capacity: 2, overflow: 'drop-oldest' })
    publish(1, 2, 3, 4)
    await bus.flush()
    expect(seen).toEqual(['3#1', '4#1'])
    expect(await bus.stats()).toMatchObject({ subscribers: [{ dropped: 2 }], deadLetters: 0 })
  })

  it('forgets what waits for a subscriber that leaves', async () => {
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

  it('keeps what it could not deliver before it was closed, and tells the handler under way', async () => {
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

  it('can be waited for only as long as one wants', async () => {
    const { bus, publish } = setup()
    bus.subscribe(() => new Promise(() => {}), { name: 'x' })
    publish(1)
    await expect(bus.flush({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
  })
})

describe('dead letters', () => {
  it('are handed over again, and removed once they are taken', async () => {
    const { bus, clock, publish } = setup({ maxAttempts: 1 })
    const { seen, handler } = recorder(2)
    bus.subscribe(handler, { name: 'x' })
    publish(1, 2)
    await bus.flush()
    expect(await bus.deadLetters.redrive()).toEqual({ queued: 2, left: 0 })
    await clock.advance(0)
    expect(seen).toEqual(['1#1', '2#1', '1#2', '2#2'])
    expect(await bus.deadLetters.list()).toEqual([])
  })

  it('stay, with their attempts added up, when they fail again', async () => {
    const { bus, clock, publish } = setup({ maxAttempts: 2, retryDelayMs: 1 })
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

  it('wait for a subscriber of their name, and are not handed over twice at once', async () => {
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

  it('can be thrown away', async () => {
    const { bus, publish } = setup({ capacity: 1 })
    bus.subscribe(() => {}, { name: 'x' })
    publish(1, 2)
    await bus.flush()
    const [letter] = await bus.deadLetters.list()
    expect(await bus.deadLetters.remove(letter?.id ?? '')).toBe(true)
    expect(await bus.deadLetters.remove(letter?.id ?? '')).toBe(false)
  })

  it('are forgotten when there are too many or they are too old', async () => {
    const { bus, clock, publish } = setup({ maxAttempts: 1, maxDeadLetters: 2, retentionMs: 1_000 })
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

  it('are kept back while their store fails, and stored when it works again', async () => {
    const working = createMemoryDeadLetters()
    let down = true
    const put: typeof working.put = letter => (down ? Promise.reject(new Error('down')) : working.put(letter))
    const { bus, publish } = setup({ maxAttempts: 1, deadLetters: { ...working, put } })
    bus.subscribe(recorder(1).handler, { name: 'x' })
    publish(1)
    await expect(bus.flush()).rejects.toThrow('down')
    expect(await working.count()).toBe(0)
    down = false
    await bus.flush()
    expect(await working.list()).toMatchObject([{ event: event(1), reason: 'failed' }])
  })
})

describe('what makes no sense', () => {
  it.each([
    [{ capacity: 0 }, 'bus.capacity: is 0'],
    [{ maxAttempts: 1.5 }, 'bus.maxAttempts: is 1.5'],
    [{ maxDeadLetters: -1 }, 'bus.maxDeadLetters: is -1'],
    [{ retryDelayMs: -1 }, 'bus.retryDelayMs: is -1'],
    [{ timeoutMs: Number.NaN }, 'bus.timeoutMs: is NaN'],
    [{ backoff: 'wild' as 'fixed' }, "bus.backoff: is 'wild'"],
  ])('is refused naming the option: %j', (options, message) => {
    expect(() => createEventBus(options)).toThrow(message)
  })

  it('is refused for a subscriber too', () => {
    const { bus } = setup()
    bus.subscribe(() => {}, { name: 'x' })
    expect(() => bus.subscribe(() => {}, { name: 'x' })).toThrow('bus.subscribers.x: is the name of another subscriber')
    expect(() => bus.subscribe(() => {}, { name: '' })).toThrow('bus.subscribers: a subscriber has no name')
    const overflow = 'explode' as 'drop-oldest'
    expect(() => bus.subscribe(() => {}, { name: 'y', overflow })).toThrow("bus.subscribers.y.overflow: is 'explode'")
    expect(() => bus.subscribe(() => {}, { name: 'y', capacity: 0 })).toThrow('bus.subscribers.y.capacity: is 0')
  })
})
