import { ParleyError } from '@parley/core'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { AnswerProgress } from '../decode/answer-decoder.ts'
import { createCallScope } from '../deadlines/create-call-scope.ts'
import { createErrorFactory } from '../errors/create-error-factory.ts'
import { readBody, STOPPED } from './read-body.ts'

type Read = { readonly done: boolean; readonly value?: Uint8Array }

/** A body whose chunks the test sends. */
function openBody() {
  const sent: Promise<Read>[] = []
  const wanted: PromiseWithResolvers<Read>[] = []
  let cancels = 0
  const end = Promise.resolve({ done: true })
  const push = (result: Promise<Read>): void => {
    const waiting = wanted.shift()
    if (waiting === undefined) sent.push(result)
    else waiting.resolve(result)
  }
  const reader = {
    read: (): Promise<Read> => {
      const next = sent.shift()
      if (next !== undefined) return next
      const waiting = Promise.withResolvers<Read>()
      wanted.push(waiting)
      return waiting.promise
    },
    cancel: async (): Promise<void> => {
      cancels++
      push(end)
    },
  }
  return {
    reader,
    /** Sends a chunk after which the answer is as far as `progress`. */
    send: (progress: AnswerProgress) => push(Promise.resolve({ done: false, value: CHUNKS[progress] })),
    end: () => push(end),
    tear: () => {
      const torn = Promise.reject(new Error('torn'))
      torn.catch(() => {})
      push(torn)
    },
    cancels: () => cancels,
    isRead: () => wanted.length > 0,
  }
}

const CHUNKS: Readonly<Record<AnswerProgress, Uint8Array>> = {
  open: Uint8Array.of(0),
  settled: Uint8Array.of(1),
  complete: Uint8Array.of(2),
}
const PROGRESS = ['open', 'settled', 'complete'] as const

/** Reads a body with these deadlines. The outcome is `read`, or the error. */
function read(body: ReturnType<typeof openBody>, { idleMs = 60_000, totalMs = Infinity } = {}) {
  const scope = createCallScope({ totalMs, signal: undefined, onAbort: () => {} })
  const drains: PromiseWithResolvers<void>[] = []
  scope.begin(() => void body.reader.cancel())
  const errors = createErrorFactory({ provider: 'acme', model: undefined, secrets: [] })
  let outcome: unknown
  const reading = readBody(body.reader, {
    scope,
    errors,
    firstByteMs: 1_000,
    idleMs,
    onChunk: ([byte = 0]) => PROGRESS[byte] ?? 'open',
    drained: () => {
      drains.push(Promise.withResolvers<void>())
      return drains.at(-1)?.promise
    },
  }).then(
    () => (outcome = 'read'),
    (error: unknown) => (outcome = error),
  )
  return { scope, drains, reading, outcome: () => outcome }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const settle = () => vi.advanceTimersByTimeAsync(0)

/** Sends a chunk, and lets the reader of its events take them. */
async function sendTaken(body: ReturnType<typeof openBody>, { drains }: ReturnType<typeof read>, to: AnswerProgress) {
  body.send(to)
  await settle()
  drains.at(-1)?.resolve()
  await settle()
}

it('a body without a first byte fails by the deadline of the first byte', async () => {
  const body = openBody()
  const given = read(body)
  await vi.advanceTimersByTimeAsync(999)
  expect(given.outcome()).toBeUndefined()
  await vi.advanceTimersByTimeAsync(2)
  expect(given.outcome()).toBe(STOPPED)
  expect(given.scope.stop()).toEqual({ kind: 'deadline', deadline: 'first-byte', ms: 1_000 })
})

it('an open answer that falls silent fails by the idle deadline', async () => {
  const body = openBody()
  const given = read(body)
  await sendTaken(body, given, 'open')
  await vi.advanceTimersByTimeAsync(59_998)
  expect(given.outcome()).toBeUndefined()
  await vi.advanceTimersByTimeAsync(3)
  expect(given.outcome()).toBe(STOPPED)
  expect(given.scope.stop()).toEqual({ kind: 'deadline', deadline: 'idle', ms: 60_000 })
})

it.each([
  ['five seconds', 60_000, 5_000],
  ['the idle deadline if that is shorter', 2_000, 2_000],
])('a settled answer that falls silent ends after %s', async (_, idleMs, endsAfter) => {
  const body = openBody()
  const given = read(body, { idleMs })
  await sendTaken(body, given, 'settled')
  await vi.advanceTimersByTimeAsync(endsAfter - 2)
  expect(given.outcome()).toBeUndefined()
  await vi.advanceTimersByTimeAsync(3)
  expect(given.outcome()).toBe('read')
  expect(given.scope.stop()).toMatchObject({ deadline: 'idle' })
})

it('a settled answer whose total time is over fails, because the whole call took too long', async () => {
  const body = openBody()
  const given = read(body, { totalMs: 3_000 })
  await sendTaken(body, given, 'settled')
  await vi.advanceTimersByTimeAsync(3_001)
  expect(given.outcome()).toBe(STOPPED)
  expect(given.scope.stop()).toMatchObject({ deadline: 'total' })
})

it('a connection that breaks fails an open answer, and ends a settled one', async () => {
  const [open, settled] = [openBody(), openBody()]
  const [failing, ending] = [read(open), read(settled)]
  await sendTaken(open, failing, 'open')
  await sendTaken(settled, ending, 'settled')
  open.tear()
  settled.tear()
  await settle()
  expect(ParleyError.is(failing.outcome(), 'model-network')).toBe(true)
  expect(ending.outcome()).toBe('read')
})

it('a settled answer whose call is left by its reader is stopped', async () => {
  const body = openBody()
  const given = read(body)
  await sendTaken(body, given, 'settled')
  given.scope.leave()
  await settle()
  expect(given.outcome()).toBe(STOPPED)
})

it('a body is not read while the reader of its events is behind, and that time does not count as idle', async () => {
  const body = openBody()
  const given = read(body)
  body.send('open')
  await vi.advanceTimersByTimeAsync(600_000)
  expect(body.isRead()).toBe(false)
  expect(given.outcome()).toBeUndefined()
  given.drains.at(-1)?.resolve()
  await settle()
  expect(body.isRead()).toBe(true)
  body.end()
  await settle()
  expect(given.outcome()).toBe('read')
})

it('the rest of a complete answer is read for a second, and then the body is cancelled', async () => {
  const body = openBody()
  const given = read(body)
  await sendTaken(body, given, 'complete')
  expect(given.outcome()).toBe('read')
  expect(body.isRead()).toBe(true)
  body.send('open')
  await vi.advanceTimersByTimeAsync(999)
  expect([body.cancels(), body.isRead()]).toEqual([0, true])
  await vi.advanceTimersByTimeAsync(1)
  expect(body.cancels()).toBe(1)
})

it('a complete answer whose body ends is not cancelled', async () => {
  const body = openBody()
  const given = read(body)
  await sendTaken(body, given, 'complete')
  body.end()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(body.cancels()).toBe(0)
  // Other files of the process may have timers.
  const timers = vi.getTimerCount()
  given.scope.close()
  expect(vi.getTimerCount()).toBe(timers - 1)
})
