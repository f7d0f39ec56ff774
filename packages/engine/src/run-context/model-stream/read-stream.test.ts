import type { ModelEvent } from '@parley/core'
import { expect, it } from 'vitest'
import { Stopper } from '../stopper.ts'
import { readStream } from './read-stream.ts'

const delta = (text: string): ModelEvent => ({ type: 'text.delta', text })

/** A stream that hands over what the test sends. */
function open() {
  const wanted: PromiseWithResolvers<IteratorResult<ModelEvent>>[] = []
  let returns = 0
  const events: AsyncIterable<ModelEvent> = {
    [Symbol.asyncIterator]: () => ({
      next() {
        const next = Promise.withResolvers<IteratorResult<ModelEvent>>()
        wanted.push(next)
        return next.promise
      },
      return() {
        returns++
        return Promise.reject(new Error('cannot close'))
      },
    }),
  }
  const settle = () => new Promise(resolve => setImmediate(resolve))
  return {
    events,
    pulls: () => wanted.length,
    returns: () => returns,
    async send(event: ModelEvent) {
      wanted.at(-1)?.resolve({ done: false, value: event })
      await settle()
    },
    async fail(error: Error) {
      wanted.at(-1)?.reject(error)
      await settle()
    },
    async end() {
      wanted.at(-1)?.resolve({ done: true, value: undefined })
      await settle()
    },
  }
}

it('readStream passes each event to the sink, and reads the next one when the sink is ready', async () => {
  const stream = open()
  const seen: ModelEvent[] = []
  const ready = Promise.withResolvers<void>()
  const reading = readStream(stream.events, new Stopper(), {
    add(event) {
      seen.push(event)
      return seen.length === 2 ? ready.promise : undefined
    },
  })
  await stream.send(delta('a'))
  await stream.send(delta('b'))
  expect([seen.length, stream.pulls()]).toEqual([2, 2])
  ready.resolve()
  await new Promise(resolve => setImmediate(resolve))
  expect(stream.pulls()).toBe(3)
  await stream.end()
  await reading
  expect(seen).toEqual([delta('a'), delta('b')])
})

it('a stop rejects at once with its reason and closes the stream, and the sink receives no later event', async () => {
  const stream = open()
  const stopper = new Stopper()
  const seen: ModelEvent[] = []
  const reading = readStream(stream.events, stopper, { add: event => void seen.push(event) })
  await stream.send(delta('a'))
  stopper.stop('enough')
  await expect(reading).rejects.toBe('enough')
  await stream.send(delta('late'))
  expect([seen, stream.returns()]).toEqual([[delta('a')], 1])
})

it('a stop after the end of the stream, or after its failure, does not close the stream', async () => {
  const [ended, failed] = [open(), open()]
  const stopper = new Stopper()
  const reading = readStream(ended.events, stopper, { add() {} })
  await ended.end()
  await reading
  const failing = readStream(failed.events, stopper, { add() {} })
  await Promise.all([expect(failing).rejects.toThrow('reset'), failed.fail(new Error('reset'))])
  stopper.stop('late')
  expect([ended.returns(), failed.returns()]).toEqual([0, 0])
})

it.each([
  ['throws', () => new Error('unreadable')],
  ['rejects', () => Promise.reject(new Error('unreadable'))],
])('a sink that %s ends the reading with its error and closes the stream once', async (_, fault) => {
  const stream = open()
  const stopper = new Stopper()
  const add = (): Promise<void> => {
    const thrown = fault()
    if (thrown instanceof Error) throw thrown
    return thrown
  }
  const failing = readStream(stream.events, stopper, { add })
  await Promise.all([expect(failing).rejects.toThrow('unreadable'), stream.send(delta('a'))])
  stopper.stop('late')
  expect([stream.returns(), stream.pulls()]).toEqual([1, 1])
})

it('readStream reads nothing from a stream whose run is already stopped', async () => {
  const stream = open()
  const stopper = new Stopper()
  stopper.stop('early')
  await expect(readStream(stream.events, stopper, { add() {} })).rejects.toBe('early')
  expect(stream.pulls()).toBe(0)
})

it('readStream fails with the error of an iterator that throws after the sink has paused it', async () => {
  let calls = 0
  const events: AsyncIterable<ModelEvent> = {
    [Symbol.asyncIterator]: () => ({
      next() {
        calls += 1
        if (calls > 1) throw new Error('broken iterator')
        return Promise.resolve({ done: false, value: delta('a') })
      },
    }),
  }
  await expect(readStream(events, new Stopper(), { add: () => Promise.resolve() })).rejects.toThrow('broken iterator')
})
