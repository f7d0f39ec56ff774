import { expect, it } from 'vitest'
import { Semaphore, type SemaphoreStop } from './semaphore.ts'

function stopper(): SemaphoreStop & { stop(): void } {
  const listeners = new Set<() => void>()
  const state = { stopped: false }
  return {
    get stopped() {
      return state.stopped
    },
    onStop: listener => void listeners.add(listener),
    offStop: listener => void listeners.delete(listener),
    stop() {
      state.stopped = true
      for (const listener of listeners) listener()
    },
  }
}

it('a semaphore admits its limit and lets further holders wait in order', async () => {
  const semaphore = new Semaphore(1)
  const leave = semaphore.tryAcquire()
  const entered: string[] = []
  const waiting = ['a', 'b'].map(async name => {
    const leaveNext = await semaphore.acquire(stopper())
    entered.push(name)
    leaveNext?.()
  })
  expect(semaphore.full).toBe(true)
  expect(semaphore.tryAcquire()).toBeUndefined()
  await Promise.resolve()
  expect(semaphore.waiting).toBe(2)
  leave?.()
  await Promise.all(waiting)
  expect(entered).toEqual(['a', 'b'])
  expect(semaphore.full).toBe(false)
})

it('a semaphore frees a place once, however often the holder leaves', () => {
  const semaphore = new Semaphore(2)
  const leave = semaphore.tryAcquire()
  semaphore.tryAcquire()
  leave?.()
  leave?.()
  expect(semaphore.tryAcquire()).toBeDefined()
  expect(semaphore.tryAcquire()).toBeUndefined()
})

it('a waiter that has entered ignores a later stop', async () => {
  const semaphore = new Semaphore(1)
  const leave = semaphore.tryAcquire()
  const [first, second] = [stopper(), stopper()]
  const entering = semaphore.acquire(first)
  leave?.()
  const leaveFirst = await entering
  const waiting = semaphore.acquire(second)
  await Promise.resolve()
  first.stop()
  expect(semaphore.waiting).toBe(1)
  leaveFirst?.()
  expect(await waiting).toBeDefined()
})

it('a stopped waiter leaves the line of a semaphore without a place', async () => {
  const semaphore = new Semaphore(1)
  const leave = semaphore.tryAcquire()
  const first = stopper()
  const waiting = semaphore.acquire(first)
  first.stop()
  expect(await waiting).toBeUndefined()
  leave?.()
  expect(await semaphore.acquire(stopper())).toBeDefined()
  expect(await semaphore.acquire(first)).toBeUndefined()
})
