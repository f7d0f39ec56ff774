import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { SignalStop } from './signal-stop.ts'

it('a stop calls each of its listeners once when the signal is aborted, but not those that were removed', () => {
  const controller = new AbortController()
  const stop = new SignalStop(controller.signal)
  const called: string[] = []
  const removed = (): void => void called.push('removed')
  stop.onStop(() => called.push('first'))
  stop.onStop(removed)
  stop.onStop(() => called.push('last'))
  stop.offStop(removed)
  expect(stop.stopped).toBe(false)
  controller.abort()
  expect(stop.stopped).toBe(true)
  expect(called).toEqual(['first', 'last'])
})

it('a stop adds one listener to its signal, and removes it with its last listener', () => {
  const { signal } = new AbortController()
  const stop = new SignalStop(signal)
  const [first, second] = [(): void => {}, (): void => {}]
  stop.onStop(first)
  stop.onStop(second)
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  stop.offStop(first)
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  stop.offStop(second)
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})
