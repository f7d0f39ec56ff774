import { fakeClock, scriptedModel } from '@parley/testing'
import { expect, it, vi } from 'vitest'
import { createRuntime, defineAgent, type Retention } from '../index.ts'
import { createMemoryStore } from '@parley/memory-store'

function setup(retention?: Retention) {
  const clock = fakeClock()
  const store = createMemoryStore({ now: clock.now })
  const prune = vi.spyOn(store, 'prune')
  const agents = [defineAgent({ name: 'a', model: scriptedModel(() => 'Done.') })]
  const runtime = createRuntime({ store, clock, agents, retention })
  const run = async (scope: string): Promise<void> => void (await runtime.invoke('a', 'go', { scope }))
  const count = async (scope: string): Promise<number> => (await runtime.runs({ scope })).length
  return { clock, prune, runtime, run, count }
}

it('retention prunes old runs of its scopes periodically until the runtime closes', async () => {
  const { clock, runtime, run, count } = setup({ olderThanMs: 1_000, scopes: ['north', 'south'], everyMs: 400 })
  for (const scope of ['north', 'south', 'default']) await run(scope)
  await clock.advance(1_000)
  expect([await count('north'), await count('south')]).toEqual([1, 1])
  await clock.advance(400)
  expect([await count('north'), await count('south'), await count('default')]).toEqual([0, 0, 1])

  await run('north')
  await runtime.close()
  await clock.advance(100_000)
  expect(await count('north')).toBe(1)
})

it('retention prunes the default scope every hour, and continues after a store failure', async () => {
  const { clock, prune, run, count } = setup({ olderThanMs: 1 })
  prune.mockRejectedValueOnce(new Error('gone'))
  await run('default')
  await clock.advance(3_599_999)
  expect(prune).toHaveBeenCalledTimes(1)
  expect(await count('default')).toBe(1)
  await clock.advance(1)
  expect(prune).toHaveBeenCalledTimes(2)
  expect(await count('default')).toBe(0)
})

it('without retention no run is pruned', async () => {
  const { clock, prune, run } = setup()
  await run('default')
  await clock.advance(1e12)
  expect(prune).not.toHaveBeenCalled()
})
