import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FrameStream } from '@parley/agent-api'
import { describe, expect, it } from 'vitest'
import { ReplayBudget } from './replay-budget.ts'
import { ResponseCache } from './response-cache.ts'
import type { ServedResponse } from './served-response.ts'

/** A response that has ended. */
function ended(id: string, runId: string, chars: number): ServedResponse<object, object> {
  const response = { id, runId, scope: 'alice', ended: Promise.resolve({}), chars, readers: 0, release: () => {} }
  return response as unknown as ServedResponse<object, object>
}

function setup() {
  const budget = new ReplayBudget({ maxKeptChars: 1_000, maxKeptCharsPerScope: 1_000 })
  const cache = new ResponseCache<object, object>({ maxKeptStreams: 2 }, budget)
  const add = async (id: string, runId: string, chars = 10): Promise<void> => {
    cache.add(ended(id, runId, chars))
    await nextTurn()
  }
  return { budget, cache, add }
}

/** A response that ends when the test says so. */
function written(id: string, runId: string, { scope = 'alice', chars = 10 } = {}) {
  const ending = Promise.withResolvers<object>()
  let released = 0
  const frames = {} as FrameStream
  const fields = { id, runId, scope, chars, readers: 0, ended: ending.promise, read: () => frames }
  const response = { ...fields, release: () => released++ } as unknown as ServedResponse<object, object>
  const end = async (): Promise<void> => {
    ending.resolve({})
    await nextTurn()
  }
  return { response, frames, end, released: () => released }
}

describe('ResponseCache', () => {
  it('the responses of a removed run count no longer', async () => {
    const { budget, cache, add } = setup()
    await add('a', 'r1')
    await add('b', 'r2')
    expect(budget.chars).toBe(20)
    cache.remove('alice', 'r1')
    expect([budget.chars, cache.find('alice', 'a'), cache.runIdOf('alice', 'a')]).toEqual([10, undefined, undefined])
  })

  it('a response that another one with its id replaces counts no longer', async () => {
    const { budget, cache, add } = setup()
    await add('a', 'r1')
    await add('a', 'r2')
    expect([budget.chars, cache.runIdOf('alice', 'a')]).toEqual([10, 'r2'])
  })

  it('the oldest response above maxKeptStreams counts no longer', async () => {
    const { budget, cache, add } = setup()
    for (const id of ['a', 'b', 'c']) await add(id, id)
    expect([budget.chars, cache.find('alice', 'a')]).toEqual([20, undefined])
  })

  it('a response that does not fit the budget is neither found nor counted', async () => {
    const { budget, cache, add } = setup()
    await add('a', 'r1')
    await add('large', 'r2', 1_001)
    expect([budget.chars, cache.find('alice', 'large')]).toEqual([0, undefined])
    await add('b', 'r3')
    expect([budget.chars, cache.find('alice', 'b')?.runId]).toEqual([10, 'r3'])
  })

  it('the budget releases the memory of the oldest response, which is then not found', async () => {
    const { cache, add } = setup()
    const old = written('old', 'r1', { chars: 600 })
    cache.add(old.response)
    await old.end()
    await add('new', 'r2', 600)
    expect([old.released(), cache.find('alice', 'old')]).toEqual([1, undefined])
    expect(cache.find('alice', 'new')?.runId).toBe('r2')
  })

  it('an id is taken while its response is written, and free after the end', async () => {
    const { cache } = setup()
    const { response, end } = written('a', 'r1')
    cache.add(response)
    expect(() => cache.checkFree('alice', 'a')).toThrow('still being written')
    cache.checkFree('bob', 'a')
    await end()
    expect(cache.find('alice', 'a')).toBe(response)
    cache.checkFree('alice', 'a')
  })

  it('the end of a response leaves the active response that replaced it', async () => {
    const { budget, cache } = setup()
    const [first, second] = [written('a', 'r1'), written('a', 'r2')]
    cache.add(first.response)
    cache.add(second.response)
    await first.end()
    expect([cache.find('alice', 'a'), budget.chars]).toEqual([second.response, 0])
    expect(() => cache.checkFree('alice', 'a')).toThrow('still being written')
  })

  it('a removed run removes no response of another scope', async () => {
    const { cache, add } = setup()
    const other = written('b', 'r1', { scope: 'bob' })
    cache.add(other.response)
    await other.end()
    await add('a', 'r1')
    cache.remove('alice', 'r1')
    expect([cache.find('alice', 'a'), cache.find('bob', 'b')]).toEqual([undefined, other.response])
  })

  it('the runs of the newest maxKeptStreams responses are known, counted from the last time each was written', async () => {
    const { cache, add } = setup()
    await add('a', 'r1')
    await add('b', 'r2')
    await add('a', 'r3')
    await add('c', 'r4')
    expect(['a', 'b', 'c'].map(id => cache.runIdOf('alice', id))).toEqual(['r3', undefined, 'r4'])
  })

  it('the run of a response that does not fit the budget is known', async () => {
    const { cache, add } = setup()
    await add('large', 'r1', 1_001)
    expect(cache.runIdOf('alice', 'large')).toBe('r1')
  })
})

describe('a second stream of a response', () => {
  it('readers share a second stream until it ends, and the ended one is kept like other responses', async () => {
    const { budget, cache } = setup()
    const [second, third] = [written('a', 'r1'), written('a', 'r1')]
    const created = [second, third].map(({ response }) => response)
    let count = 0
    const create = async () => created[count++] as ServedResponse<object, object>
    expect(await cache.readAgain('alice', 'a', create)).toBe(second.frames)
    expect(await cache.readAgain('alice', 'a', create)).toBe(second.frames)
    expect([count, budget.chars]).toEqual([1, 0])
    await second.end()
    expect([cache.find('alice', 'a'), budget.chars]).toEqual([second.response, 10])
    expect(await cache.readAgain('alice', 'a', create)).toBe(third.frames)
    await third.end()
    expect([cache.find('alice', 'a'), budget.chars]).toEqual([second.response, 10])
  })

  it('a second stream that cannot be created is not shared', async () => {
    const { cache } = setup()
    const again = written('a', 'r1')
    const failing = cache.readAgain('alice', 'a', () => Promise.reject(new Error('the store is gone')))
    await expect(failing).rejects.toThrow('the store is gone')
    expect(await cache.readAgain('alice', 'a', async () => again.response)).toBe(again.frames)
  })

  it('a second stream that ends replaces no active response', async () => {
    const { budget, cache } = setup()
    const [first, second] = [written('a', 'r1'), written('a', 'r1')]
    cache.add(first.response)
    await cache.readAgain('alice', 'a', async () => second.response)
    await second.end()
    expect([cache.find('alice', 'a'), budget.chars]).toEqual([first.response, 0])
    await first.end()
    expect([cache.find('alice', 'a'), budget.chars]).toEqual([first.response, 10])
  })
})
