import { setImmediate as nextTurn } from 'node:timers/promises'
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
})
