import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { sleep } from './sleep.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A signal that counts its listeners. */
function counted(controller = new AbortController()) {
  const { signal } = controller
  let listeners = 0
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = (...given: Parameters<typeof add>) => (listeners++, add(...given))
  signal.removeEventListener = (...given: Parameters<typeof remove>) => (listeners--, remove(...given))
  return { signal, listeners: () => listeners, abort: (reason: unknown) => controller.abort(reason) }
}

it('sleep resolves after its time and leaves no listener on the signal', async () => {
  const { signal, listeners } = counted()
  let isOver = false
  const sleeping = sleep(100, signal).then(() => (isOver = true))
  await vi.advanceTimersByTimeAsync(99)
  expect([isOver, listeners()]).toEqual([false, 1])
  await vi.advanceTimersByTimeAsync(1)
  await sleeping
  expect(listeners()).toBe(0)
})

it('an abort ends the sleep at once with its reason, and leaves no timer', async () => {
  const { signal, abort } = counted()
  const sleeping = sleep(100, signal)
  abort('enough')
  await expect(sleeping).rejects.toBe('enough')
  expect(vi.getTimerCount()).toBe(0)
})

it('sleep rejects with the reason of a signal that is already aborted, and sets no timer', async () => {
  await expect(sleep(100, AbortSignal.abort('early'))).rejects.toBe('early')
  expect(vi.getTimerCount()).toBe(0)
})
