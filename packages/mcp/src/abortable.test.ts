import { expect, it } from 'vitest'
import { abortable } from './abortable.ts'

it('abortable settles as the work does', async () => {
  const { signal } = new AbortController()
  expect(await abortable(Promise.resolve(1), signal)).toBe(1)
  expect(await abortable(Promise.resolve(1), undefined)).toBe(1)
  await expect(abortable(Promise.reject(new Error('no')), signal)).rejects.toThrow('no')
})

it('abortable rejects with the reason of a signal that aborts before or during the work', async () => {
  const reason = { any: 'thing' }
  await expect(abortable(new Promise(() => {}), AbortSignal.abort(reason))).rejects.toBe(reason)
  const controller = new AbortController()
  const waiting = abortable(new Promise(() => {}), controller.signal)
  controller.abort(reason)
  await expect(waiting).rejects.toBe(reason)
})
