import { defineTool, ParleyError, type Store } from '@parley/core'
import { fakeClock, scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import type { DurableHost, Steps } from '../host.ts'
import { createMemoryStore } from '@parley/memory-store'
import { createRuntime, defineAgent } from '../index.ts'

const CALL = { toolCalls: [{ name: 'look' }] }

function setup(store?: Store) {
  const clock = fakeClock()
  const look = defineTool({
    name: 'look',
    description: 'Works.',
    input: { type: 'object' },
    permission: { effect: 'ask', expiresInMs: 1_000 },
    execute: () => 'seen',
  })
  const free = { ...look, name: 'free', permission: 'allow' as const }
  const model = scriptedModel(({ messages }) => (messages.length === 1 ? { toolCalls: [{ name: 'free' }] } : 'Done.'))
  const agents = [
    defineAgent({ name: 'a', model, tools: [free] }),
    defineAgent({ name: 'asks', model: scriptedModel([CALL, 'Done.']), tools: [look] }),
  ]
  return { clock, runtime: createRuntime({ agents, store, clock }) }
}

/** Takes `most` steps, makes each durable, and then releases the run. */
function hostOf(most: number, seen: (steps: Steps) => Promise<void> | void = () => {}): DurableHost {
  return {
    async drive(steps) {
      for (let taken = 0; taken < most; taken++) {
        const ending = await steps.take()
        await steps.commit()
        if (ending !== undefined) return ending
        await seen(steps)
      }
      throw new ParleyError({ code: 'runtime-closed' })
    },
  }
}

describe('a run driven by a host', () => {
  it('a run driven by a host has the same result, keeps its id, and journals each step before the next', async () => {
    const store = createMemoryStore()
    const lengths: number[] = []
    const host = hostOf(100, async () => {
      lengths.push((await store.read('mine')).length)
    })
    const result = await setup(store).runtime.run('a', 'go', { runId: 'mine', host }).result
    expect(result).toMatchObject({ runId: 'mine', status: 'completed', text: 'Done.' })
    const alone = await setup(store).runtime.run('a', 'go').result
    const types = async (runId: string) => (await store.read(runId)).map(({ type }) => type)
    expect(await types('mine')).toEqual(await types(alone.runId))
    expect(lengths).toEqual([...new Set(lengths)])
    expect(lengths.length).toBeGreaterThan(2)
  })

  it('a run is released when its host fails, writes nothing more, and another process resumes it', async () => {
    for (let most = 0; ; most++) {
      const store = createMemoryStore()
      const result = await setup(store).runtime.run('a', 'go', { runId: 'r', host: hostOf(most) }).result
      if (result.status === 'completed') return expect(most).toBeGreaterThan(2)
      expect(result).toMatchObject({ status: 'interrupted', error: { code: 'runtime-closed' } })
      if (most === 0) continue
      const { length } = await store.read('r')
      const resumed = await setup(store).runtime.resume('r', { force: true, host: hostOf(100) })
      expect(await resumed.result).toMatchObject({ status: 'completed', text: 'Done.' })
      const entries = await store.read('r')
      expect(entries[length]?.type).toBe('run.resumed')
      expect(entries.filter(({ type }) => type === 'tool.started')).toHaveLength(1)
    }
  })

  it('a suspended run leaves its timers to the host', async () => {
    const store = createMemoryStore()
    const { clock, runtime } = setup(store)
    const result = await runtime.run('asks', 'go', { runId: 'r', host: hostOf(100) }).result
    expect(result.status).toBe('suspended')
    await clock.advance(2_000)
    expect((await store.run('r'))?.status).toBe('suspended')
    const resumed = await runtime.resume('r', { host: hostOf(100) })
    expect(await resumed.result).toMatchObject({ status: 'completed' })
    expect((await store.read('r')).find(entry => entry.type === 'approval.decided')).toMatchObject({
      decision: { type: 'timed-out' },
    })
  })
})
