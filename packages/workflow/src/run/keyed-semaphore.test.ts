import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { KeyedSemaphore, type Leave } from './keyed-semaphore.ts'

const never = new AbortController().signal

/** Takes a place that must be free. */
function enterAtOnce(semaphore: KeyedSemaphore, key: string): Leave {
  const leave = semaphore.enter(key, never)
  if (typeof leave !== 'function') throw new Error('expected a free place')
  return leave
}

it('a keyed semaphore gives no place to a waiter that was aborted', async () => {
  const semaphore = new KeyedSemaphore(1)
  const leave = enterAtOnce(semaphore, 'key')
  const controller = new AbortController()
  const aborted = semaphore.enter('key', controller.signal)
  const next = semaphore.enter('key', never)
  controller.abort()
  expect(await aborted).toBeUndefined()
  leave()
  const leaveNext = await next
  leaveNext?.()
  enterAtOnce(semaphore, 'key')()
})

it('a keyed semaphore has no place for a caller that is already aborted', () => {
  const semaphore = new KeyedSemaphore(1)
  expect(semaphore.enter('key', AbortSignal.abort())).toBeUndefined()
  enterAtOnce(semaphore, 'key')
})

it('a keyed semaphore keeps the place of a waiter whose signal is aborted after it has entered', async () => {
  const semaphore = new KeyedSemaphore(1)
  const leave = enterAtOnce(semaphore, 'key')
  const controller = new AbortController()
  const entering = semaphore.enter('key', controller.signal)
  leave()
  const leaveSecond = await entering
  const third = semaphore.enter('key', never)
  controller.abort()
  leaveSecond?.()
  expect(await third).toBeTypeOf('function')
})

it('a keyed semaphore leaves no listener on the signal of a waiter', async () => {
  const semaphore = new KeyedSemaphore(1)
  const leave = enterAtOnce(semaphore, 'key')
  const { signal } = new AbortController()
  let listeners = 0
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = (...given: Parameters<typeof add>) => (listeners++, add(...given))
  signal.removeEventListener = (...given: Parameters<typeof remove>) => (listeners--, remove(...given))
  const waiting = semaphore.enter('key', signal)
  expect(listeners).toBe(1)
  leave()
  await waiting
  expect(listeners).toBe(0)
})

interface Holder {
  readonly key: string
  readonly controller: AbortController
  leave: Leave | undefined
  state: 'waiting' | 'inside' | 'gone'
}

const key = fc.constantFrom('a', 'b')
const action = fc.oneof(
  fc.record({ type: fc.constant('enter' as const), key }),
  fc.record({ type: fc.constantFrom('leave' as const, 'abort' as const), at: fc.nat({ max: 9 }) }),
)

it('whatever holders enter, leave and are aborted, each key has its places, and waiters enter in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(action, { maxLength: 40 }), async (limit, actions) => {
      const semaphore = new KeyedSemaphore(limit)
      const holders: Holder[] = []
      for (const each of actions) {
        if (each.type === 'enter') await enter(semaphore, holders, each.key)
        else {
          const found = holders.filter(({ state }) => state === (each.type === 'leave' ? 'inside' : 'waiting'))
          const holder = found[each.at % found.length]
          if (holder === undefined) continue
          holder.state = 'gone'
          if (each.type === 'leave') holder.leave?.()
          else holder.controller.abort()
        }
        // Lets the promises of waiters settle.
        await new Promise(resolve => setImmediate(resolve))
        for (const name of ['a', 'b']) {
          const present = holders.filter(one => one.key === name && one.state !== 'gone').map(({ state }) => state)
          expect(present).toEqual(present.map((_, index) => (index < limit ? 'inside' : 'waiting')))
        }
      }
    }),
    { numRuns: 100 },
  )
})

async function enter(semaphore: KeyedSemaphore, holders: Holder[], name: string): Promise<void> {
  const holder: Holder = { key: name, controller: new AbortController(), leave: undefined, state: 'waiting' }
  holders.push(holder)
  const entering = Promise.resolve(semaphore.enter(name, holder.controller.signal)).then(leave => {
    if (leave === undefined) return
    holder.leave = leave
    holder.state = 'inside'
  })
  await Promise.race([entering, new Promise(resolve => setImmediate(resolve))])
}
