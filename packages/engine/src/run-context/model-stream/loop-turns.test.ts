import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ModelEvent } from '@parley/core'
import { expect, it } from 'vitest'
import { LoopTurns } from './loop-turns.ts'
import { readStream } from './read-stream.ts'
import { Stopper } from '../stopper.ts'

async function* deltas(count: number): AsyncGenerator<ModelEvent> {
  for (let sent = 0; sent < count; sent++) yield { type: 'text.delta', text: 'a' }
}

it('in each turn of the event loop, the reader that began first continues', async () => {
  const turns = new LoopTurns()
  const [first, second] = [turns.begin(), turns.begin()]
  const seen: string[] = []
  const read = (name: string, place: number, left: number): void => {
    seen.push(name)
    if (left > 1) turns.wait(place, () => read(name, place, left - 1))
  }
  turns.wait(second, () => read('second', second, 2))
  turns.wait(first, () => read('first', first, 3))
  expect(seen).toEqual([])
  for (let turn = 0; turn < 10; turn++) await nextTurn()
  expect(seen).toEqual(['first', 'first', 'first', 'second', 'second'])
})

it('a stream that never waits leaves turns to other work of the process', async () => {
  let taken = 0
  const ended = new AbortController()
  const reading = readStream(deltas(2_000), new Stopper(), { add: () => void taken++ }).then(() => ended.abort())
  let turns = 0
  for (; !ended.signal.aborted; turns++) await nextTurn()
  await reading
  expect([taken, turns > 10]).toEqual([2_000, true])
})

it('a run that is stopped while it waits for its turn reads no further event', async () => {
  const stopper = new Stopper()
  let taken = 0
  const reading = readStream(deltas(2_000), stopper, { add: () => void taken++ })
  await nextTurn()
  stopper.stop('enough')
  const before = taken
  await expect(reading).rejects.toBe('enough')
  for (let turn = 0; turn < 10; turn++) await nextTurn()
  expect([taken, before < 2_000]).toEqual([before, true])
})
