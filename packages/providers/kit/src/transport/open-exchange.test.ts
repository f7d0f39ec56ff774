import { expect, it } from 'vitest'
import { openExchange } from './open-exchange.ts'

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

const fields = (...texts: string[]) => texts.map(text => Buffer.from(text))

it('an exchange resolves with the response that follows informational ones', async () => {
  const { handler, response } = openExchange(new AbortController().signal)
  handler.onConnect(() => {})
  expect(handler.onHeaders(103, fields('link', 'x'), () => {})).toBe(true)
  handler.onHeaders(200, fields('X-A', 'b', 'x-a', 'c'), () => {})
  const { ok, status, headers } = await response
  expect([ok, status, headers.get('x-A'), headers.get('link')]).toEqual([true, 200, 'b, c', null])
})

it('an exchange leaves no listener on the signal, whether it completes or fails', async () => {
  const [complete, failed] = [counted(), counted()]
  const first = openExchange(complete.signal)
  first.handler.onHeaders(204, [], () => {})
  expect(complete.listeners()).toBe(1)
  first.handler.onComplete()
  const second = openExchange(failed.signal)
  second.handler.onError(new Error('reset'))
  await expect(second.response).rejects.toThrow('fetch failed')
  expect([complete.listeners(), failed.listeners()]).toEqual([0, 0])
})

it('an abort before the connection rejects the response, and closes the connection once it is there', async () => {
  const { signal, abort } = counted()
  const { handler, response } = openExchange(signal)
  const reason = new Error('enough')
  abort(reason)
  await expect(response).rejects.toBe(reason)
  const closed: unknown[] = []
  handler.onConnect(cause => closed.push(cause))
  expect(closed).toEqual([reason])
})

it('an abort within the body ends the body and closes the connection', async () => {
  const { signal, abort } = counted()
  const { handler, response } = openExchange(signal)
  const closed: unknown[] = []
  handler.onConnect(cause => closed.push(cause))
  handler.onHeaders(200, [], () => {})
  const reader = (await response).body?.getReader()
  handler.onData(Uint8Array.of(1))
  expect(await reader?.read()).toEqual({ done: false, value: Uint8Array.of(1) })
  const reading = reader?.read()
  const reason = new Error('enough')
  abort(reason)
  await expect(reading).rejects.toBe(reason)
  expect(closed).toEqual([reason])
})

it('a reader that cancels the body closes the connection', async () => {
  const { handler, response } = openExchange(new AbortController().signal)
  let closes = 0
  handler.onConnect(() => closes++)
  handler.onHeaders(200, [], () => {})
  await (await response).body?.getReader().cancel()
  expect(closes).toBe(1)
})
