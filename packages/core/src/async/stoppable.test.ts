import { describe, expect, it } from 'vitest'
import { stoppable } from './stoppable.ts'

/** A source that gives each list of `pulls` in turn, and counts its calls. */
function sourceOf(...pulls: readonly (readonly number[])[]) {
  const counts = { pulls: 0, leaves: 0 }
  const rest = [...pulls]
  return {
    counts,
    pull: async () => {
      counts.pulls++
      return rest.shift()
    },
    leave: () => void counts.leaves++,
  }
}

async function collect<TItem>(items: AsyncIterable<TItem>): Promise<TItem[]> {
  const collected: TItem[] = []
  for await (const item of items) collected.push(item)
  return collected
}

describe('stoppable', () => {
  it('a stoppable iterator gives the items of all pulls in order and leaves its source once at the end', async () => {
    const source = sourceOf([1, 2], [3])
    const items = stoppable(source)
    expect(await collect(items)).toEqual([1, 2, 3])
    expect(await items.next()).toEqual({ value: undefined, done: true })
    await items.return?.()
    expect(source.counts).toEqual({ pulls: 3, leaves: 1 })
  })

  it('a stoppable iterator pulls once at a time when next is called several times', async () => {
    let pending = 0
    let most = 0
    const rest = [[1], [2], [3]]
    const items = stoppable({
      pull: async () => {
        most = Math.max(most, ++pending)
        await new Promise(resolve => setImmediate(resolve))
        pending--
        return rest.shift()
      },
      leave: () => {},
    })
    const results = await Promise.all([items.next(), items.next(), items.next(), items.next()])
    expect(results.map(({ value }) => value)).toEqual([1, 2, 3, undefined])
    expect(most).toBe(1)
  })

  it('a stoppable iterator returns at once while a pull is pending, and drops what the pull gives later', async () => {
    const pulled = Promise.withResolvers<readonly number[]>()
    let leaves = 0
    const items = stoppable({ pull: () => pulled.promise, leave: () => void leaves++ })
    const next = items.next()
    expect(await items.return?.()).toEqual({ value: undefined, done: true })
    expect(leaves).toBe(1)
    pulled.resolve([1])
    expect(await next).toEqual({ value: undefined, done: true })
    expect(await items.next()).toEqual({ value: undefined, done: true })
  })

  it('a stoppable iterator leaves its source when the reader breaks out of the loop', async () => {
    const source = sourceOf([1, 2])
    for await (const item of stoppable(source)) if (item === 1) break
    expect(source.counts).toEqual({ pulls: 1, leaves: 1 })
  })

  it('a stoppable iterator throws the error of a pull once, leaves its source and is done', async () => {
    let leaves = 0
    const items = stoppable<number>({ pull: () => Promise.reject(new Error('lost')), leave: () => void leaves++ })
    await expect(items.next()).rejects.toThrow('lost')
    expect(await items.next()).toEqual({ value: undefined, done: true })
    expect(leaves).toBe(1)
  })
})
