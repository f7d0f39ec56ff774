import { createMemoryStore } from '@parley/memory-store'
import type { JournalAppend, Model } from '@parley/core'
import { expect, it } from 'vitest'
import { createRuntime, defineAgent } from '../../index.ts'
import { AnswerRoom } from './answer-room.ts'

const MB = 1_000_000

it('an answer below 1 MB never waits', () => {
  const room = new AnswerRoom(1)
  expect(room.grow({}, MB - 1)).toBeUndefined()
  expect(room.grow({}, MB - 1)).toBeUndefined()
})

it('above the bound the oldest large answer continues, and the others wait until it leaves', async () => {
  const room = new AnswerRoom(3 * MB)
  const [first, second, third] = [{}, {}, {}]
  expect(room.grow(first, 2 * MB)).toBeUndefined()
  expect(room.grow(second, MB)).toBeUndefined()
  const order: string[] = []
  const waits = [
    room.grow(second, 2 * MB)?.then(() => order.push('second')),
    room.grow(third, 2 * MB)?.then(() => order.push('third')),
  ]
  expect(waits.every(wait => wait !== undefined)).toBe(true)
  expect(room.grow(first, 9 * MB)).toBeUndefined()
  room.leave(first)
  await waits[0]
  expect(order).toEqual(['second'])
  room.leave(second)
  await waits[1]
  expect(order).toEqual(['second', 'third'])
})

it('an answer that leaves while it waits no longer counts', async () => {
  const room = new AnswerRoom(3 * MB)
  const [first, second, third] = [{}, {}, {}]
  void room.grow(first, 2 * MB)
  const waits = room.grow(second, 2 * MB)
  room.leave(second)
  await waits
  expect(room.has(second)).toBe(false)
  expect(room.grow(third, MB)).toBeUndefined()
})

const piece = 'x'.repeat(100_000)

/** Answers with a text of 20 MB, and reports how much of it was read. */
function largeModel(onPiece: (sent: number) => void): Model {
  return {
    provider: 'scripted',
    id: 'large',
    info: {},
    async *stream() {
      for (let sent = piece.length; sent <= 20 * MB; sent += piece.length) {
        onPiece(sent)
        yield { type: 'text.delta', text: piece }
      }
      yield { type: 'finish', reason: 'stop' }
    },
  }
}

it('runs with large answers read their streams one after the other, as soon as the answer before is stored', async () => {
  const read = new Map<string, number>()
  const stored: string[] = []
  const most: number[] = []
  const memory = createMemoryStore()
  const store = {
    ...memory,
    append: async (append: JournalAppend) => {
      if (append.entries.some(({ type }) => type === 'model.called')) {
        most.push([...read].reduce((sum, [name, sent]) => sum + (stored.includes(name) ? 0 : sent), 0))
        stored.push(append.runId)
      }
      await memory.append(append)
    },
  }
  const names = ['a', 'b', 'c', 'd', 'e']
  const agents = names.map(name => defineAgent({ name, model: largeModel(sent => read.set(name, sent)) }))
  const runtime = createRuntime({ agents, store })
  const results = await Promise.all(names.map(name => runtime.run(name, 'go', { runId: name }).result))
  expect(results.map(({ status }) => status)).toEqual(names.map(() => 'completed'))
  // The bound of 16 MB, and the rest of the answer that continues.
  expect(Math.max(...most)).toBeLessThan(40 * MB)
})

it('a run that waits for room can be cancelled, and does not stop the others', async () => {
  const names = ['a', 'b', 'c']
  const agents = names.map(name => defineAgent({ name, model: largeModel(() => {}) }))
  const runtime = createRuntime({ agents, store: createMemoryStore() })
  const [a, b, c] = names.map(name => runtime.run(name, 'go'))
  await new Promise(resolve => setImmediate(resolve))
  await b?.cancel({ kind: 'user' })
  const statuses = await Promise.all([a, b, c].map(async run => (await run?.result)?.status))
  expect(statuses).toEqual(['completed', 'cancelled', 'completed'])
})

it('a model that answers without waiting does not keep the event loop from its other work', async () => {
  const agents = [defineAgent({ name: 'a', model: largeModel(() => {}) })]
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await createRuntime({ agents }).run('a', 'go').result
  isOver = true
  expect(turns).toBeGreaterThan(50)
})
