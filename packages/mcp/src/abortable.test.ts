import { expect, it } from 'vitest'
import { abortable } from './abortable.ts'

it('gives what the work gives', async () => {
  const { signal } = new AbortController()
  expect(await abortable(Promise.resolve(1), signal)).toBe(1)
  expect(await abortable(Promise.resolve(1), undefined)).toBe(1)
  await expect(abortable(Promise.reject(new Error('no')), signal)).rejects.toThrow('no')
})

it('stops waiting when aborted, before or during, and leaves the reason as it is', async () => {
  const reason = { any: 'thing' }
  await expect(abortable(new Promise(() => {}), AbortSignal.abort(reason))).rejects.toBe(reason)
  const controller = new AbortController()
  const waiting = abortable(new Promise(() => {}), controller.signal)
  controller.abort(reason)
  await expect(waiting).rejects.toBe(reason)
})
