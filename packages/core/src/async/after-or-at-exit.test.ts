import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { systemClock } from './clock.ts'
import type * as original from './after-or-at-exit.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('afterOrAtExit calls back once after the time', () => {
  const called = vi.fn()
  systemClock.afterOrAtExit?.(50, called)
  vi.advanceTimersByTime(49)
  expect(called).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  vi.advanceTimersByTime(100)
  expect(called).toHaveBeenCalledTimes(1)
})

it('afterOrAtExit does not call back once it is cancelled', () => {
  const called = vi.fn()
  systemClock.afterOrAtExit?.(50, called)()
  vi.advanceTimersByTime(60)
  expect(called).not.toHaveBeenCalled()
})

it('afterOrAtExit listens for signals only as long as a call is due', async () => {
  // Runs of other tests in this process may still have calls.
  const copy = `${import.meta.resolve('./after-or-at-exit.ts')}?copy`
  const { afterOrAtExit } = (await import(copy)) as typeof original
  const before = ['SIGINT', 'SIGTERM'].map(signal => process.listenerCount(signal))
  const counts = () => ['SIGINT', 'SIGTERM'].map(signal => process.listenerCount(signal))
  const cancel = afterOrAtExit(50, () => {})
  afterOrAtExit(60, () => {})
  expect(counts()).toEqual(before.map(count => count + 1))
  cancel()
  expect(counts()).toEqual(before.map(count => count + 1))
  vi.advanceTimersByTime(60)
  expect(counts()).toEqual(before)
})
