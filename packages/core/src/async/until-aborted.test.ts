import { describe, expect, it } from 'vitest'
import { untilAborted } from './until-aborted.ts'

describe('untilAborted', () => {
  it('untilAborted returns the result or the error of work that settles before the abort', async () => {
    const { signal } = new AbortController()
    expect(await untilAborted(Promise.resolve(1), signal)).toBe(1)
    expect(await untilAborted(Promise.resolve(2), undefined)).toBe(2)
    await expect(untilAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no')
  })

  it('untilAborted rejects with the reason of a signal that is aborted before or during the work', async () => {
    const reason = { kind: 'user' }
    await expect(untilAborted(Promise.resolve(1), AbortSignal.abort(reason))).rejects.toBe(reason)
    const controller = new AbortController()
    const waiting = untilAborted(new Promise(() => {}), controller.signal)
    controller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
  })

  it('untilAborted handles the rejection of work that fails after the abort', async () => {
    const work = Promise.withResolvers<never>()
    await expect(untilAborted(work.promise, AbortSignal.abort('enough'))).rejects.toBe('enough')
    work.reject(new Error('late'))
    await new Promise(resolve => setImmediate(resolve))
  })

  it('untilAborted removes its listener when the work settles', async () => {
    const { signal } = new AbortController()
    const listeners = new Set<unknown>()
    signal.addEventListener = (_: string, listener: unknown) => void listeners.add(listener)
    signal.removeEventListener = (_: string, listener: unknown) => void listeners.delete(listener)
    const waiting = untilAborted(Promise.resolve(1), signal)
    expect(listeners.size).toBe(1)
    await waiting
    expect(listeners.size).toBe(0)
  })
})
