import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { createChannel } from './channel.ts'

async function readAll<TItem>(items: AsyncIterable<TItem>): Promise<TItem[]> {
  const read: TItem[] = []
  for await (const item of items) read.push(item)
  return read
}

describe('createChannel', () => {
  it('a channel gives its reader every item in order, pushed before or during reading', async () => {
    const channel = createChannel<number>()
    channel.push(1)
    channel.push(2)
    const reading = readAll(channel)
    await Promise.resolve()
    channel.push(3)
    channel.end()
    expect(await reading).toEqual([1, 2, 3])
  })

  it('a channel passes a pushed item to a waiting reader', async () => {
    const channel = createChannel<number>()
    const pull = channel[Symbol.asyncIterator]().next()
    channel.push(1)
    expect(await pull).toEqual({ value: 1, done: false })
  })

  it('a channel gives the buffered items first and then throws its error once', async () => {
    const channel = createChannel<number>()
    const failure = new Error('broken')
    channel.push(1)
    channel.end(failure)
    const reader = channel[Symbol.asyncIterator]()
    expect(await reader.next()).toEqual({ value: 1, done: false })
    await expect(reader.next()).rejects.toBe(failure)
    expect(await reader.next()).toEqual({ value: undefined, done: true })
  })

  it('a channel throws its error immediately to a waiting reader', async () => {
    const channel = createChannel<number>()
    const pull = channel[Symbol.asyncIterator]().next()
    const failure = new Error('broken')
    channel.end(failure)
    await expect(pull).rejects.toBe(failure)
  })

  it('the end of a channel ends a waiting reader', async () => {
    const channel = createChannel<number>()
    const pull = channel[Symbol.asyncIterator]().next()
    channel.end()
    expect(await pull).toEqual({ value: undefined, done: true })
  })

  it('a channel ignores items that are pushed after its end', async () => {
    const channel = createChannel<number>()
    channel.end()
    channel.push(1)
    channel.end(new Error('too late'))
    expect(await readAll(channel)).toEqual([])
  })

  it('a reader can leave a channel while its pull is pending', async () => {
    const onLeave = vi.fn<() => void>()
    const channel = createChannel<number>({ onLeave })
    const reader = channel[Symbol.asyncIterator]()
    const pull = reader.next()
    expect(await reader.return?.()).toEqual({ value: undefined, done: true })
    expect(await pull).toEqual({ value: undefined, done: true })
    channel.push(1)
    expect(await reader.next()).toEqual({ value: undefined, done: true })
    await reader.return?.()
    expect(onLeave).toHaveBeenCalledTimes(1)
  })

  it('a channel calls onLeave and drops unread items when its reader breaks', async () => {
    const onLeave = vi.fn<() => void>()
    const channel = createChannel<number>({ onLeave })
    channel.push(1)
    channel.push(2)
    for await (const item of channel) {
      expect(item).toBe(1)
      break
    }
    expect(onLeave).toHaveBeenCalledTimes(1)
    expect(await readAll(channel)).toEqual([])
  })

  it('a channel does not call onLeave after its end', async () => {
    const onLeave = vi.fn<() => void>()
    const channel = createChannel<number>({ onLeave })
    channel.push(1)
    channel.end()
    expect(await readAll(channel)).toEqual([1])
    await channel[Symbol.asyncIterator]().return?.()
    expect(onLeave).not.toHaveBeenCalled()
  })

  it('a channel merges items only above the high-water mark and only if merge returns an item', async () => {
    const merge = (last: string, next: string): string | undefined =>
      last.startsWith('!') || next.startsWith('!') ? undefined : last + next
    const channel = createChannel<string>({ highWater: 2, merge })
    for (const item of ['a', 'b', 'c', '!', 'd', 'e']) channel.push(item)
    channel.end()
    expect(await readAll(channel)).toEqual(['a', 'bc', '!', 'de'])
  })

  it('a channel serves several pending pulls in their order', async () => {
    const channel = createChannel<number>()
    const reader = channel[Symbol.asyncIterator]()
    const pulls = [reader.next(), reader.next(), reader.next()]
    channel.push(1)
    channel.push(2)
    channel.end()
    expect((await Promise.all(pulls)).map(({ value }) => value)).toEqual([1, 2, undefined])
  })

  it('a channel with a high-water mark of zero loses nothing when it merges', async () => {
    const channel = createChannel<string>({ highWater: 0, merge: (last, next) => last + next })
    channel.push('a')
    channel.push('b')
    channel.end()
    const items: string[] = []
    for await (const item of channel) items.push(item)
    expect(items).toEqual(['ab'])
  })

  it('a channel keeps the buffer of a slow reader within the high-water mark without loss', async () => {
    const step = fc.oneof(
      fc.record({ push: fc.string({ minLength: 1, maxLength: 3 }) }),
      fc.record({ pulls: fc.integer({ min: 1, max: 3 }) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 4 }), async (steps, highWater) => {
        const channel = createChannel<string>({ highWater, merge: (last, next) => last + next })
        const reader = channel[Symbol.asyncIterator]()
        let pushed = ''
        let read = ''
        for (const each of steps) {
          if ('push' in each) {
            channel.push(each.push)
            pushed += each.push
          } else {
            for (let pull = 0; pull < each.pulls && read.length < pushed.length; pull += 1) {
              read += (await reader.next()).value ?? ''
            }
          }
        }
        channel.end()
        const rest = await readAll(channel)
        expect(rest.length).toBeLessThanOrEqual(highWater)
        expect(read + rest.join('')).toBe(pushed)
      }),
    )
  })
})
