import { fakeClock } from '@parley/testing'
import { afterEach, expect, it, vi } from 'vitest'
import { createEventBus } from './index.ts'

afterEach(() => vi.restoreAllMocks())

/** The abort listeners that were added and not removed since the call. */
function watchListeners(): Set<unknown> {
  const listeners = new Set<unknown>()
  const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype
  vi.spyOn(EventTarget.prototype, 'addEventListener').mockImplementation(function (this: EventTarget, ...args) {
    if (args[0] === 'abort') listeners.add(args[1])
    add.apply(this, args)
  })
  vi.spyOn(EventTarget.prototype, 'removeEventListener').mockImplementation(function (this: EventTarget, ...args) {
    listeners.delete(args[1])
    remove.apply(this, args)
  })
  return listeners
}

it.each([
  ['a delivery', 0],
  ['a delivery with two retries', 2],
])('%s leaves neither a listener nor a timer with its subscriber', async (_, failures) => {
  const clock = fakeClock()
  const bus = createEventBus({ clock, retry: { initialDelayMs: 100 } })
  let attempts = 0
  bus.subscribe(
    () => {
      if (attempts++ < failures) throw new Error('not now')
    },
    { name: 'x' },
  )
  const listeners = watchListeners()
  bus.publish({ v: 1, type: 'run.resumed', worker: 'w', seq: 1, at: 0, runId: 'r', sessionId: 's', path: [] })
  await clock.advance(1_000)
  await bus.flush()
  expect(attempts).toBe(failures + 1)
  expect([listeners.size, clock.pending]).toEqual([0, 0])
})
