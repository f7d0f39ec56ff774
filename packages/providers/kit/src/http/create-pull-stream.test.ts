import { describe, expect, it } from 'vitest'
import { createPullStream, type PullSink } from './create-pull-stream.ts'

const never = (): Promise<void> => new Promise(() => undefined)
const ignoreLeaving = (): void => undefined

describe('createPullStream', () => {
  it('a pull stream starts the producer with the first pull and hands over its items in order', async () => {
    let started = 0
    const stream = createPullStream<number>({
      produce: async sink => {
        started++
        sink.emit(1)
        sink.emit(2)
      },
      onLeave: ignoreLeaving,
    })
    expect(started).toBe(0)
    const items: number[] = []
    for await (const item of stream) items.push(item)
    expect(items).toEqual([1, 2])
    expect(started).toBe(1)
  })

  it('a pull stream hands over the emitted items, then throws the failure once', async () => {
    const stream = createPullStream<number>({
      produce: async sink => {
        sink.emit(1)
        throw new Error('broken')
      },
      onLeave: ignoreLeaving,
    })
    const reader = stream[Symbol.asyncIterator]()
    expect(await reader.next()).toEqual({ value: 1, done: false })
    await expect(reader.next()).rejects.toThrow('broken')
    expect(await reader.next()).toEqual({ value: undefined, done: true })
  })

  it('the reader of a pull stream can leave while a pull is pending', async () => {
    let left = 0
    const stream = createPullStream<number>({ produce: never, onLeave: () => left++ })
    const reader = stream[Symbol.asyncIterator]()
    const pending = reader.next()
    await reader.return?.()
    expect(await pending).toEqual({ value: undefined, done: true })
    expect(left).toBe(1)
  })

  it('fail ends a pull stream at once, despite unread items and a running producer', async () => {
    const sinks: PullSink<number>[] = []
    const stream = createPullStream<number>({
      produce: sink => {
        sinks.push(sink)
        sink.emit(1)
        sink.emit(2)
        return never()
      },
      onLeave: ignoreLeaving,
    })
    const reader = stream[Symbol.asyncIterator]()
    await reader.next()
    sinks[0]?.fail('reason')
    await expect(reader.next()).rejects.toBe('reason')
  })

  it('onLeave is not called for a reader that leaves before its first pull, because there is nothing to stop', async () => {
    let [started, left] = [0, 0]
    const stream = createPullStream<number>({ produce: async () => void started++, onLeave: () => left++ })
    const reader = stream[Symbol.asyncIterator]()
    await reader.return?.()
    expect(await reader.next()).toEqual({ value: undefined, done: true })
    expect([started, left]).toEqual([0, 0])
  })

  it.each(['leaves', 'fails'])(
    'the producer of a pull stream stops waiting for a reader when the stream %s',
    async how => {
      const sinks: PullSink<number>[] = []
      const drained = Promise.withResolvers<void>()
      const stream = createPullStream<number>({
        produce: async sink => {
          sinks.push(sink)
          for (const item of [1, 2, 3]) sink.emit(item)
          await sink.drained()
          drained.resolve()
        },
        onLeave: ignoreLeaving,
      })
      const reader = stream[Symbol.asyncIterator]()
      await reader.next()
      if (how === 'leaves') await reader.return?.()
      else sinks[0]?.fail('reason')
      await drained.promise
    },
  )

  it('an item that is emitted after the end is dropped, and the producer does not wait for its reader', async () => {
    const sinks: PullSink<number>[] = []
    const stream = createPullStream<number>({
      produce: sink => {
        sinks.push(sink)
        return never()
      },
      onLeave: ignoreLeaving,
    })
    const reader = stream[Symbol.asyncIterator]()
    const pending = reader.next()
    sinks[0]?.emit(1)
    await pending
    sinks[0]?.fail('reason')
    sinks[0]?.emit(2)
    expect(sinks[0]?.drained()).toBeUndefined()
    await expect(reader.next()).rejects.toBe('reason')
    expect(await reader.next()).toEqual({ value: undefined, done: true })
  })

  it('the producer of a pull stream can wait until the reader has taken every item', async () => {
    const seen: string[] = []
    const stream = createPullStream<string>({
      produce: async sink => {
        for (const item of ['a', 'b', 'c']) sink.emit(item)
        await sink.drained()
        seen.push('drained')
        expect(sink.drained()).toBeUndefined()
      },
      onLeave: ignoreLeaving,
    })
    const reader = stream[Symbol.asyncIterator]()
    await reader.next()
    await reader.next()
    await new Promise(setImmediate)
    expect(seen).toEqual([])
    await reader.next()
    await new Promise(setImmediate)
    expect(seen).toEqual(['drained'])
  })
})
