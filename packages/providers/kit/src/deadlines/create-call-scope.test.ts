import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createCallScope, type Stop } from './create-call-scope.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function open({ totalMs = Infinity, controller = new AbortController() } = {}) {
  let aborts = 0
  const stops: Stop[] = []
  const scope = createCallScope({ totalMs, signal: controller.signal, onAbort: () => aborts++ })
  return { scope, stops, note: (stop: Stop) => void stops.push(stop), controller, aborts: () => aborts }
}

it('the first cause that stops a call counts', () => {
  const { scope, stops, note, controller } = open()
  scope.begin(note)
  scope.leave()
  controller.abort('late')
  expect(stops).toEqual([{ kind: 'left' }])
  expect(scope.stop()).toEqual({ kind: 'left' })
})

it('an attempt that begins after an abort is stopped at once', () => {
  const { scope, stops, note, controller, aborts } = open()
  scope.begin(() => {})
  controller.abort('enough')
  scope.begin(note)
  expect(stops).toEqual([{ kind: 'abort', reason: 'enough' }])
  expect(aborts()).toBe(1)
})

it.each(['connect', 'first-byte', 'idle'] as const)('the next attempt forgets an expired %s deadline', deadline => {
  const { scope, stops, note } = open()
  scope.begin(note)
  scope.timer.start(deadline, 10)
  vi.advanceTimersByTime(11)
  expect(stops).toEqual([{ kind: 'deadline', deadline, ms: 10 }])
  scope.begin(note)
  expect([scope.stop(), stops.length]).toEqual([undefined, 1])
})

it('an attempt that begins after the total deadline is stopped at once', () => {
  const { scope, stops, note } = open({ totalMs: 10 })
  scope.begin(() => {})
  scope.timer.pause()
  vi.advanceTimersByTime(11)
  scope.begin(note)
  expect(stops).toEqual([{ kind: 'deadline', deadline: 'total', ms: 10 }])
})

it('a closed scope has no timer, and hears no abort', () => {
  const { scope, stops, note, controller, aborts } = open({ totalMs: 1_000 })
  scope.begin(note)
  scope.timer.start('idle', 10)
  scope.close()
  expect(vi.getTimerCount()).toBe(0)
  controller.abort()
  expect([stops, aborts()]).toEqual([[], 0])
})
