import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from './clock.ts'
import { SETTLE_MS, untilOverdue } from './until-overdue.ts'

function begin(controller = new AbortController()) {
  const work = Promise.withResolvers<string>()
  return { controller, work, waiting: untilOverdue(work.promise, controller.signal, systemClock) }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('untilOverdue', () => {
  it('untilOverdue returns the result of work that settles after the abort but in time, and leaves no timer', async () => {
    const { controller, work, waiting } = begin()
    controller.abort()
    await vi.advanceTimersByTimeAsync(SETTLE_MS - 1)
    // Other files of the process may have timers.
    const timers = vi.getTimerCount()
    work.resolve('saved')
    expect(await waiting).toBe('saved')
    expect(vi.getTimerCount()).toBe(timers - 1)
  })

  it('untilOverdue returns undefined for work that ignores the abort, and handles its late rejection', async () => {
    const { controller, work, waiting } = begin()
    controller.abort()
    await vi.advanceTimersByTimeAsync(SETTLE_MS)
    expect(await waiting).toBeUndefined()
    work.reject(new Error('late'))
    await vi.advanceTimersByTimeAsync(0)
  })

  it('untilOverdue waits equally long for work whose signal was aborted before the call', async () => {
    const controller = new AbortController()
    controller.abort()
    const { waiting } = begin(controller)
    await vi.advanceTimersByTimeAsync(SETTLE_MS)
    expect(await waiting).toBeUndefined()
  })

  it('untilOverdue starts no timer for work that settled before the abort', async () => {
    const { controller, work, waiting } = begin()
    work.reject(new Error('no'))
    await expect(waiting).rejects.toThrow('no')
    controller.abort()
    expect(vi.getTimerCount()).toBe(0)
  })
})
