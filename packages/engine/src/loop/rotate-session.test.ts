import type { EntryOf } from '@parley/core'
import { fakeClock, scriptedModel } from '@parley/testing'
import { expect, it } from 'vitest'
import { createRuntime, defineAgent } from '../index.ts'
import { createMemoryStore } from '@parley/memory-store'

const HOUR = 3_600_000

function setUp() {
  const clock = fakeClock()
  const store = createMemoryStore()
  const model = scriptedModel(() => 'Yes.')
  const agents = ['a', 'b b/c'].map(name => defineAgent({ name, model }))
  const runtime = createRuntime({ agents, store, clock })
  const say = (sessionId = 's', rotateAfterMs?: number) =>
    runtime.run('a', 'go', rotateAfterMs === undefined ? { sessionId } : { sessionId, rotateAfterMs }).result
  const startOf = async (runId: string) => (await store.read(runId))[0] as EntryOf<'run.started'>
  return { clock, store, model, runtime, say, startOf }
}

it('rotateAfterMs continues a recent session and starts a new one after an idle one', async () => {
  const { clock, model, say, startOf } = setUp()
  const first = await say('s', HOUR)
  await clock.advance(HOUR)
  expect((await say('s', HOUR)).sessionId).toBe('s')
  expect(model.requests.at(-1)?.messages).toHaveLength(3)

  await clock.advance(HOUR + 1)
  const rotated = await say('s', HOUR)
  expect(rotated.sessionId).not.toBe('s')
  expect(model.requests.at(-1)?.messages).toHaveLength(1)
  const started = await startOf(rotated.runId)
  expect(started.sessionId).toBe(rotated.sessionId)
  expect(started.relation).toBe('initial')
  expect(started.previousSession?.sessionId).toBe('s')
  expect(started.previousSession?.runId).not.toBe(first.runId)
})

it('a run for a rotated session joins the session that followed it, which may rotate again', async () => {
  const { clock, model, say, startOf } = setUp()
  await say('s', HOUR)
  await clock.advance(2 * HOUR)
  const second = await say('s', HOUR)
  const third = await say('s', HOUR)
  expect(third.sessionId).toBe(second.sessionId)
  expect(model.requests.at(-1)?.messages).toHaveLength(3)
  expect((await startOf(third.runId)).previousSession).toBeUndefined()
  await clock.advance(2 * HOUR)
  const fourth = await say('s', HOUR)
  expect((await startOf(fourth.runId)).previousSession).toEqual({ sessionId: second.sessionId, runId: third.runId })
  expect((await say('s')).sessionId).toBe('s')
})

it('middleware and watchers see the new session from the first event', async () => {
  const { clock, say, runtime } = setUp()
  await say()
  await clock.advance(2)
  const run = runtime.run('a', 'go', { sessionId: 's', rotateAfterMs: 1 })
  const sessions = new Set<string>()
  for await (const event of run) sessions.add(event.sessionId)
  expect([...sessions]).toEqual([run.sessionId])
  expect(run.sessionId).not.toBe('s')
})

it('of two runs that rotate a session at once, one wins', async () => {
  const { clock, say } = setUp()
  await say()
  await clock.advance(2)
  const ends = await Promise.all([say('s', 1), say('s', 1)])
  expect(ends.map(({ status }) => status).toSorted()).toEqual(['completed', 'failed'])
})

it('rotateAfterMs rejects a negative time and a run without a sessionId', () => {
  const { runtime } = setUp()
  expect(() => runtime.run('a', 'go', { sessionId: 's', rotateAfterMs: -1 })).toThrow('rotateAfterMs: is -1')
  expect(() => runtime.run('a', 'go', { rotateAfterMs: 1 })).toThrow('requires sessionId')
})

it('session labels runs by session, agent and number', async () => {
  const { runtime, say } = setUp()
  await say()
  await runtime.run('b b/c', 'go', { sessionId: 's' }).result
  await say()
  expect((await runtime.session('s')).map(({ label }) => label)).toEqual(['s.a.1', 's.b-b-c.1', 's.a.2'])
})
