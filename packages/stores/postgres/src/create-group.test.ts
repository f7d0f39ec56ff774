import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createGroup } from './create-group.ts'

interface Item {
  readonly key: string
  readonly size: number
}

/** Creates a group whose writes end when the test says so. */
function open(width: number) {
  const writes: { readonly items: readonly Item[]; readonly end: PromiseWithResolvers<ReadonlySet<Item>> }[] = []
  const add = createGroup<Item>({
    keysOf: ({ key }) => [key],
    sizeOf: ({ size }) => size,
    width,
    write: items => {
      const end = Promise.withResolvers<ReadonlySet<Item>>()
      writes.push({ items, end })
      return end.promise
    },
  })
  const keys = (): string[][] => writes.map(({ items }) => items.map(({ key }) => key))
  return { add, writes, keys }
}

const item = (key: string, size = 1): Item => ({ key, size })
const turn = (): Promise<void> => new Promise(resolve => void setImmediate(resolve))

describe('a group', () => {
  it('the group writes the items of one turn of the event loop together', async () => {
    const { add, keys } = open(1)
    for (const key of ['a', 'b', 'c']) void add(item(key))
    expect(keys()).toEqual([])
    await turn()
    expect(keys()).toEqual([['a', 'b', 'c']])
  })

  it('items that arrive during a write share the next write', async () => {
    const { add, writes, keys } = open(1)
    void add(item('a'))
    await turn()
    for (const key of ['b', 'c']) {
      void add(item(key))
      await turn()
    }
    expect(keys()).toEqual([['a']])
    writes[0]?.end.resolve(new Set())
    await turn()
    await turn()
    expect(keys()).toEqual([['a'], ['b', 'c']])
  })

  it('the promise of an item resolves to whether the write contained it, and only after the write', async () => {
    const { add, writes } = open(1)
    const settled: string[] = []
    const [one, two] = [item('a'), item('b')]
    void add(one).then(written => settled.push(`a ${written}`))
    void add(two).then(written => settled.push(`b ${written}`))
    await turn()
    expect(settled).toEqual([])
    writes[0]?.end.resolve(new Set([two]))
    await turn()
    expect(settled).toEqual(['a false', 'b true'])
  })

  it('an error of a write rejects its own items, and later items are still written', async () => {
    const { add, writes, keys } = open(1)
    const failing = add(item('a'))
    await turn()
    const later = add(item('b'))
    writes[0]?.end.reject(new Error('gone'))
    await expect(failing).rejects.toThrow('gone')
    await turn()
    expect(keys()).toEqual([['a'], ['b']])
    const [written] = writes[1]?.items ?? []
    writes[1]?.end.resolve(new Set(written === undefined ? [] : [written]))
    expect(await later).toBe(true)
  })

  it('an item does not overtake an earlier one that has one of its keys and has to wait', async () => {
    const writes: string[][] = []
    const gate = Promise.withResolvers<void>()
    const add = createGroup<{ readonly name: string; readonly keys: readonly string[] }>({
      keysOf: ({ keys }) => keys,
      sizeOf: () => 1,
      width: 1,
      async write(items) {
        writes.push(items.map(({ name }) => name))
        await gate.promise
        return new Set(items)
      },
    })
    const added = [
      { name: 'first', keys: ['run', 'a'] },
      { name: 'waits', keys: ['a', 'b'] },
      { name: 'behind', keys: ['b'] },
      { name: 'free', keys: ['c'] },
    ].map(each => add(each))
    await turn()
    gate.resolve()
    await Promise.all(added)
    expect(writes).toEqual([['first', 'free'], ['waits'], ['behind']])
  })

  it('a large item is the last one of its write', async () => {
    const { add, keys } = open(1)
    for (const [key, size] of [
      ['a', 1],
      ['b', 10_000_000],
      ['c', 1],
    ] as const)
      void add(item(key, size))
    await turn()
    expect(keys()).toEqual([['a', 'b']])
  })

  it('for any arrivals, the group writes every item once, items of one key in order and never together, within its width', async () => {
    const arrivals = fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), pause: fc.boolean() }), {
      maxLength: 40,
    })
    await fc.assert(
      fc.asyncProperty(arrivals, fc.integer({ min: 1, max: 3 }), async (list, width) => {
        let running = 0
        const written: Item[] = []
        const add = createGroup<Item>({
          keysOf: ({ key }) => [key],
          sizeOf: ({ size }) => size,
          width,
          async write(items) {
            running += 1
            expect(running).toBeLessThanOrEqual(width)
            expect(new Set(items.map(({ key }) => key)).size).toBe(items.length)
            await turn()
            written.push(...items)
            running -= 1
            return new Set(items)
          },
        })
        const all: Item[] = []
        const results: Promise<boolean>[] = []
        for (const { key, pause } of list) {
          const next = item(key)
          all.push(next)
          results.push(add(next))
          if (pause) await turn()
        }
        expect(await Promise.all(results)).toEqual(all.map(() => true))
        expect(new Set(written).size).toBe(all.length)
        // Writes of different keys may end in any order. An append of a run follows the end of the one before.
        if (width === 1)
          for (const key of 'abcd')
            expect(written.filter(each => each.key === key)).toEqual(all.filter(each => each.key === key))
      }),
      { numRuns: 50 },
    )
  })
})
