import { afterEach, expect, it, vi } from 'vitest'
import { createInboxWatch } from './create-inbox-watch.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('createInboxWatch reads the inboxes if the check for changes throws', async () => {
  vi.useFakeTimers()
  const { watch } = createInboxWatch({
    unread: async () => ['r'],
    everyMs: 10,
    mayHaveChanged: () => {
      throw new Error('the database is closed')
    },
  })
  const told: string[] = []
  await using _watching = await watch(runId => told.push(runId))
  await vi.advanceTimersByTimeAsync(10)
  expect(told).toEqual(['r', 'r'])
})

/** A watch whose inboxes have what the test says, and that listens for notices. */
function open({ mayHaveChanged }: { mayHaveChanged: () => boolean }) {
  vi.useFakeTimers()
  let reads = 0
  const receivers: { tell(runId: string): void; look(): void }[] = []
  let stops = 0
  const state = { unread: [] as string[], fails: false }
  const { watch, tell } = createInboxWatch({
    unread: async () => {
      reads++
      if (state.fails) throw new Error('locked')
      return state.unread
    },
    everyMs: 10,
    mayHaveChanged,
    listen: receiver => {
      receivers.push(receiver)
      return () => stops++
    },
  })
  const told: string[] = []
  const listen = (name: string) => watch(runId => told.push(`${name} ${runId}`))
  return { state, watch, tell, told, listen, receivers, reads: () => reads, stops: () => stops }
}

it('each watch is told of the commands that wait when it begins, also if nothing changes', async () => {
  const { state, told, listen } = open({ mayHaveChanged: () => false })
  state.unread = ['r']
  await using _first = await listen('first')
  await vi.advanceTimersByTimeAsync(0)
  expect(told).toEqual(['first r'])
  await using _second = await listen('second')
  await vi.advanceTimersByTimeAsync(100)
  expect(told.filter(each => each === 'second r')).toHaveLength(1)
})

it('the inboxes are read once in each interval while a watch is open, and only if they may have changed', async () => {
  let changed = false
  const { listen, reads, stops } = open({ mayHaveChanged: () => changed })
  const [first, second] = [await listen('first'), await listen('second')]
  const before = reads()
  await vi.advanceTimersByTimeAsync(100)
  expect(reads() - before).toBe(0)
  changed = true
  await vi.advanceTimersByTimeAsync(100)
  expect(reads() - before).toBe(10)
  await first[Symbol.asyncDispose]()
  await first[Symbol.asyncDispose]()
  await vi.advanceTimersByTimeAsync(100)
  expect(reads() - before).toBe(20)
  await second[Symbol.asyncDispose]()
  await vi.advanceTimersByTimeAsync(100)
  expect([reads() - before, stops()]).toEqual([20, 1])
})

it('a read that fails is repeated at the next tick, also if nothing changes', async () => {
  const { state, told, listen, reads } = open({ mayHaveChanged: () => false })
  state.unread = ['r']
  state.fails = true
  await using _watching = await listen('a')
  await vi.advanceTimersByTimeAsync(10)
  expect([told, reads()]).toEqual([[], 2])
  state.fails = false
  await vi.advanceTimersByTimeAsync(10)
  expect([told, reads()]).toEqual([['a r'], 3])
  await vi.advanceTimersByTimeAsync(100)
  expect(reads()).toBe(3)
})

it('a store listens for notices while a watch is open', async () => {
  const { told, listen, receivers, reads, stops } = open({ mayHaveChanged: () => false })
  const [first, second] = [await listen('first'), await listen('second')]
  expect(receivers).toHaveLength(1)
  receivers[0]?.tell('x')
  expect(told).toEqual(['first x', 'second x'])
  const before = reads()
  receivers[0]?.look()
  expect(reads() - before).toBe(1)
  await first[Symbol.asyncDispose]()
  expect(stops()).toBe(0)
  await second[Symbol.asyncDispose]()
  expect(stops()).toBe(1)
})

it('a listener that is given twice is called twice, until each of its watches ends', async () => {
  const { watch, tell } = open({ mayHaveChanged: () => false })
  const told: string[] = []
  const listener = (runId: string): void => void told.push(runId)
  const [first, second] = [await watch(listener), await watch(listener)]
  tell('a')
  await first[Symbol.asyncDispose]()
  tell('b')
  await second[Symbol.asyncDispose]()
  tell('c')
  expect(told).toEqual(['a', 'a', 'b'])
})
