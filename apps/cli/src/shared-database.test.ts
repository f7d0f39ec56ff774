import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock, type Model } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { createEventBus } from '@parley/event-bus'
import { openSqliteStore } from '@parley/sqlite'
import { describe, expect, it } from 'vitest'

const model: Model = {
  provider: 'p',
  id: 'm',
  info: {},
  async *stream({ messages }) {
    yield { type: 'text.delta', text: `answer ${messages.length}` }
    yield { type: 'finish', reason: 'stop' }
  },
}
const agents = [defineAgent({ name: 'a', model })]

async function openFile() {
  const dir = await mkdtemp(join(tmpdir(), 'parley-shared-'))
  return { path: join(dir, 'runs.db'), [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }) }
}

describe('runtimes that share a SQLite file', () => {
  it('of several runs that start concurrently, one continues the session, in every round', async () => {
    await using file = await openFile()
    await using one = await openSqliteStore({ path: file.path })
    await using two = await openSqliteStore({ path: file.path })
    const runtimes = [one, two].map(store => createRuntime({ store, agents }))
    for (const round of [1, 2, 3]) {
      const starts = [...runtimes, ...runtimes, ...runtimes].map(
        runtime => runtime.run('a', 'go', { sessionId: 's' }).result,
      )
      const results = await Promise.all(starts)
      expect(results.filter(({ status }) => status === 'completed')).toHaveLength(1)
      for (const result of results) {
        if (result.status === 'completed') expect(result.messages).toHaveLength(round * 2)
        else expect(result).toMatchObject({ status: 'failed', error: { code: 'session-busy', sessionId: 's' } })
      }
      expect(await runtimes[0]?.session('s')).toHaveLength(round)
    }
  })

  it('a runtime resumes, forks, replays and prunes a run that another runtime released', async () => {
    await using file = await openFile()
    const left = await openSqliteStore({ path: file.path })
    const hanging: Model = { ...model, stream: (_, { signal }) => untilAborted(signal) }
    const first = createRuntime({
      store: left,
      agents: [defineAgent({ name: 'a', model: hanging })],
      onClose: 'suspend',
      resources: [left],
    })
    const run = first.run('a', 'go', { sessionId: 's' })
    for await (const event of run) if (event.type === 'model.started') break
    expect(await first.close({ drainMs: 0 })).toMatchObject({ exitCode: 0, suspended: 1 })
    await using store = await openSqliteStore({ path: file.path })
    const second = createRuntime({ store, agents })
    expect(await (await second.resume(run.runId)).result).toMatchObject({ status: 'completed', text: 'answer 1' })
    const fork = await second.fork(run.runId, { input: 'and?' })
    expect(await fork.result).toMatchObject({ text: 'answer 3' })
    expect((await second.session('s')).map(({ relation, parent }) => [relation, parent])).toEqual([
      ['initial', undefined],
      ['branch', run.runId],
    ])
    const replayed: string[] = []
    for await (const { type } of second.replay(run.runId)) replayed.push(type)
    expect(replayed).toEqual((await store.read(run.runId)).map(({ type }) => type))
    expect(await second.prune({ olderThanMs: 60_000 })).toBe(0)
    const later = { ...systemClock, now: () => systemClock.now() + 120_000 }
    expect(await createRuntime({ store, clock: later }).prune({ olderThanMs: 60_000 })).toBe(2)
    expect(await second.runs()).toEqual([])
  })

  it('a runtime finds and redrives the dead letters of an ended process', async () => {
    await using file = await openFile()
    {
      await using store = await openSqliteStore({ path: file.path })
      const bus = createEventBus({ deadLetters: store.deadLetters, retry: { maxRetries: 1, initialDelayMs: 1 } })
      bus.subscribe(() => Promise.reject(new Error('offline')), { name: 'audit', filter: { types: ['run.ended'] } })
      await createRuntime({ bus, agents }).run('a', 'go').result
      await bus.flush()
    }
    await using store = await openSqliteStore({ path: file.path })
    const bus = createEventBus({ deadLetters: store.deadLetters })
    expect(await bus.deadLetters.list()).toMatchObject([
      { subscriber: 'audit', reason: 'failed', detail: 'offline', attempts: 2, agent: 'a', scope: 'default' },
    ])
    const taken: string[] = []
    bus.subscribe(({ type }, { attempt }) => void taken.push(`${type} ${attempt}`), { name: 'audit' })
    expect(await bus.deadLetters.redrive()).toEqual({ queued: 1, left: 0 })
    await bus.flush()
    expect(taken).toEqual(['run.ended 3'])
    expect(await bus.deadLetters.list()).toEqual([])
  })
})

async function* untilAborted(signal: AbortSignal | undefined): AsyncGenerator<never> {
  await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))
}
