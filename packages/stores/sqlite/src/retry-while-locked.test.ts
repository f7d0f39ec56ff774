import { ParleyError } from '@parley/core'
import { expect, it } from 'vitest'
import { retryWhileLocked } from './retry-while-locked.ts'

const busy = (): Error => Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY_SNAPSHOT' })

/** A call that fails with each of `errors`, and then returns how often it was called. */
function failing(...errors: Error[]) {
  let calls = 0
  const call = async (): Promise<number> => {
    const error = errors[calls++]
    if (error !== undefined) throw error
    return calls
  }
  return { call, calls: () => calls }
}

it('a call is repeated while another process locks the file', async () => {
  const attempt = retryWhileLocked({ name: 'store.db', busyTimeoutMs: 60_000 })
  expect(await attempt(failing(busy(), busy(), busy()).call)).toBe(4)
})

it('a call whose file stays locked fails with store-unavailable', async () => {
  const attempt = retryWhileLocked({ name: 'store.db', busyTimeoutMs: 3 })
  const { call, calls } = failing(...Array.from({ length: 100 }, busy))
  await expect(attempt(call)).rejects.toMatchObject({
    info: {
      code: 'store-unavailable',
      store: 'store.db',
      detail: expect.stringContaining('locked for 3 ms') as string,
    },
  })
  // The first call, and one after each wait of 1 and 2 ms.
  expect(calls()).toBe(3)
})

it.each([
  ['a refusal of the store', new ParleyError({ code: 'store-fenced', runId: 'r' }), 'store-fenced'],
  ['a full disk', Object.assign(new Error('full'), { code: 'SQLITE_FULL' }), 'store-unavailable'],
  ['an unknown error', new TypeError('a fault'), undefined],
])('a call that fails with %s is not repeated', async (_, error, code) => {
  const attempt = retryWhileLocked({ name: 'store.db', busyTimeoutMs: 60_000 })
  const { call, calls } = failing(error)
  const thrown: unknown = await attempt(call).catch((rejection: unknown) => rejection)
  expect(code === undefined ? thrown : (thrown as ParleyError).code).toBe(code ?? error)
  expect(calls()).toBe(1)
})

it('a call whose signal is aborted while it waits is not repeated', async () => {
  const attempt = retryWhileLocked({ name: 'store.db', busyTimeoutMs: 60_000 })
  const controller = new AbortController()
  let calls = 0
  const call = async (): Promise<never> => {
    calls++
    controller.abort('enough')
    throw busy()
  }
  await expect(attempt(call, controller.signal)).rejects.toBe('enough')
  expect(calls).toBe(1)
})
