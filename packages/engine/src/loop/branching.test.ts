import { defineTool, ParleyError, userMessage, type Entry, type RunEvent } from '@parley/core'
import { fakeClock, scriptedModel } from '@parley/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRuntime, defineAgent, type Runtime } from '../index.ts'
import { isValidTranscript } from '../journal.ts'
import { createMemoryStore } from '@parley/memory-store'

const noop = defineTool({ name: 'noop', description: 'd', input: { type: 'object' }, execute: () => 'fine' })
const asks = defineTool({ ...noop, name: 'asks', permission: 'ask' })

/** Repeats the last user message, after two tool calls if asked. */
function setup() {
  const store = createMemoryStore()
  const model = scriptedModel(({ messages }) => {
    const last = messages.at(-1)
    const heard = messages.flatMap(({ role, content }) =>
      role === 'user' && typeof content !== 'string' ? content.map(part => ('text' in part ? part.text : '')) : [],
    )
    if (last?.role === 'user' && heard.at(-1) === 'work') return { toolCalls: [{ name: 'noop' }, { name: 'noop' }] }
    if (last?.role === 'user' && heard.at(-1) === 'ask') return { toolCalls: [{ name: 'asks' }] }
    return `heard ${heard.join(', ')}`
  })
  const other = defineAgent({ name: 'other', model: scriptedModel(() => 'other here') })
  const agents = [defineAgent({ name: 'a', model, tools: [noop, asks], toolExecution: 'sequential' }), other]
  const clock = fakeClock()
  return { store, model, clock, runtime: createRuntime({ store, clock, agents }) }
}

async function eventsOf(events: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const list: RunEvent[] = []
  for await (const event of events) list.push(event)
  return list
}

async function say(runtime: Runtime, input: string, sessionId = 's') {
  return runtime.run('a', input, { sessionId }).result
}

/** Sequence numbers of the entries of one type. */
async function seqsOf(runtime: Runtime, runId: string, type: Entry['type']): Promise<number[]> {
  return (await eventsOf(runtime.replay(runId))).filter(event => event.type === type).map(({ seq }) => seq)
}

describe('a fork', () => {
  it('a fork continues from the middle of a run with another input and leaves the run unchanged', async () => {
    const { runtime, store } = setup()
    const { runId } = await say(runtime, 'one')
    const before = await store.read(runId)
    const fork = await runtime.fork(runId, { at: 1, input: 'two' })
    expect(await fork.result).toMatchObject({ status: 'completed', text: 'heard two', sessionId: 's' })
    expect(await store.read(runId)).toEqual(before)
    expect((await store.read(fork.runId))[0]).toMatchObject({ relation: 'branch', base: { runId, seq: 1 }, agent: 'a' })
  })

  it('a fork continues after the last entry, or answers the pending input again', async () => {
    const { runtime } = setup()
    const { runId } = await say(runtime, 'one')
    expect(await (await runtime.fork(runId, { input: 'two' })).result).toMatchObject({ text: 'heard one, two' })
    const again = await runtime.fork(runId, { at: 2, agent: 'other' })
    expect(await again.result).toMatchObject({ text: 'other here', messages: [userMessage('one'), {}] })
  })

  it('a fork gives each open call a result that states how far the call was', async () => {
    const { runtime } = setup()
    const { runId } = await say(runtime, 'work')
    const told = async (type: Entry['type'], nth: number) => {
      const fork = await runtime.fork(runId, {
        at: (await seqsOf(runtime, runId, type))[nth],
        sessionId: `${type}${nth}`,
      })
      return (await fork.result).messages.flatMap(({ role, content }) =>
        role === 'tool' ? content.map(part => ('text' in part ? part.text : '')) : [],
      )
    }
    const lost = "'noop' was interrupted by a crash. Whether it took effect is unknown, and it was not run again."
    const never = "'noop' was cancelled before it ran."
    expect(await told('message.appended', 1)).toEqual([never, never])
    expect(await told('tool.started', 0)).toEqual([lost, never])
    expect(await told('tool.ended', 0)).toEqual(['fine', never])
    expect(await told('tool.ended', 1)).toEqual(['fine', 'fine'])
  })

  it('a fork becomes the run that its session continues from', async () => {
    const { runtime } = setup()
    const { runId } = await say(runtime, 'one')
    await (
      await runtime.fork(runId, { at: 1, input: 'two' })
    ).result
    expect(await say(runtime, 'three')).toMatchObject({ text: 'heard two, three' })
  })

  it('a fork may start in another session, even while the other run is unfinished', async () => {
    const { runtime } = setup()
    const asked = await say(runtime, 'ask')
    expect(asked.status).toBe('suspended')
    const { runId } = asked
    await expect(runtime.fork(runId, { at: 1, input: 'two' })).rejects.toMatchObject({
      info: { code: 'session-busy', sessionId: 's', runId },
    })
    const fork = await runtime.fork(runId, { at: 1, input: 'two', sessionId: 'elsewhere' })
    expect(await fork.result).toMatchObject({ text: 'heard two', sessionId: 'elsewhere' })
    expect(await runtime.session('s')).toHaveLength(1)
  })

  it('a resumed fork has the transcript it started with', async () => {
    const { runtime, store, model } = setup()
    const { runId } = await say(runtime, 'work')
    const [at] = await seqsOf(runtime, runId, 'tool.started')
    const fork = await runtime.fork(runId, { at, input: 'go on', sessionId: 'f' })
    const { messages } = await fork.result
    const copy = createMemoryStore()
    for (const [id, end] of [
      [runId, 99],
      [fork.runId, 2],
    ] as const) {
      const entries = (await store.read(id)).slice(0, end)
      await copy.append({ runId: id, expectedSeq: 0, worker: 'w', fence: 1, entries })
    }
    const next = createRuntime({
      store: copy,
      clock: fakeClock(),
      agents: [defineAgent({ name: 'a', model, tools: [noop] })],
    })
    expect((await (await next.resume(fork.runId)).result).messages).toEqual(messages)
  })

  it('a fork keeps the metadata of the other run unless it has its own', async () => {
    const { runtime, store } = setup()
    const { runId } = await runtime.run('a', 'one', { metadata: { flag: 1 } }).result
    const metadataOf = async (id: string) =>
      ((await store.read(id))[0] as Extract<Entry, { type: 'run.started' }>).metadata
    const fork = await (await runtime.fork(runId, { input: 'x' })).result
    expect(await metadataOf(fork.runId)).toEqual({ flag: 1 })
    const other = await (await runtime.fork(runId, { input: 'x', metadata: { flag: 2 } })).result
    expect(await metadataOf(other.runId)).toEqual({ flag: 2 })
  })

  it.each([
    [{ at: 0 }, 'at: is 0, the run has the entries 1 to 5'],
    [{ at: 6 }, 'at: is 6, the run has the entries 1 to 5'],
    [{ at: 1.5 }, 'at: is 1.5'],
    [{}, 'input: is missing: after entry 5 the transcript ends with an answer'],
    [{ at: 1 }, 'input: is missing: after entry 1 the transcript is empty'],
  ])('fork rejects %j with the error %s', async (options, message) => {
    const { runtime } = setup()
    const { runId } = await say(runtime, 'one')
    await expect(runtime.fork(runId, options)).rejects.toThrow(message)
  })

  it('a fork at any entry of any run sends only valid transcripts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('one', 'work', 'ask'), fc.nat(), fc.boolean(), async (input, point, spoken) => {
        const { runtime, store, model } = setup()
        const { runId } = await say(runtime, input)
        const at = 1 + (point % ((await store.run(runId))?.seq ?? 1))
        const options = { at, sessionId: 'f', ...(spoken ? { input: 'and?' } : {}) }
        const fork = await runtime.fork(runId, options).catch((error: unknown) => {
          if (!ParleyError.is(error, 'config-invalid') || spoken) throw error
          return undefined
        })
        const result = await fork?.result
        for (const { messages } of model.requests) expect(isValidTranscript(messages)).toBe(true)
        expect(isValidTranscript(result?.messages ?? [])).toBe(true)
        if (fork !== undefined) expect(await runtime.transcript(fork.runId)).toEqual(result?.messages)
      }),
      { numRuns: 60 },
    )
  })
})

describe('a rerun', () => {
  it('a rerun repeats the input from where the run began', async () => {
    const { runtime, store } = setup()
    const first = await say(runtime, 'one')
    const second = await say(runtime, 'two')
    const rerun = await runtime.rerun(second.runId)
    expect(await rerun.result).toMatchObject({ text: 'heard one, two', messages: second.messages })
    expect((await store.read(rerun.runId))[0]).toMatchObject({
      relation: 'rerun',
      origin: second.runId,
      base: { runId: first.runId },
    })
  })

  it('a rerun accepts another input or agent and keeps the history', async () => {
    const { runtime } = setup()
    const first = await runtime.run('a', 'one', { history: [userMessage('zero')] }).result
    expect(await (await runtime.rerun(first.runId, { input: 'won' })).result).toMatchObject({ text: 'heard zero, won' })
    expect(await (await runtime.rerun(first.runId, { agent: 'other' })).result).toMatchObject({ text: 'other here' })
    await expect(runtime.rerun(first.runId, { agent: 'nobody' })).rejects.toThrow("no agent named 'nobody'")
  })
})

describe('reading journals', () => {
  it('replay returns the events that a watcher saw without calling a model or a tool', async () => {
    const { runtime, model } = setup()
    const run = runtime.run('a', 'work', { sessionId: 's' })
    const live = (await eventsOf(run)).filter(event => 'v' in event)
    const requests = model.requests.length
    expect(await eventsOf(runtime.replay(run.runId))).toEqual(live)
    expect(await eventsOf(runtime.replay(run.runId))).toEqual(live)
    expect(model.requests).toHaveLength(requests)
  })

  it('transcript includes the messages of the runs that the run continues', async () => {
    const { runtime } = setup()
    await say(runtime, 'one')
    const { runId, messages } = await say(runtime, 'two')
    expect(await runtime.transcript(runId)).toEqual(messages)
    expect(messages).toHaveLength(4)
  })

  it('session returns the tree of its runs, oldest first', async () => {
    const { runtime, clock } = setup()
    const one = await say(runtime, 'one')
    await clock.advance(1)
    const two = await say(runtime, 'two')
    await clock.advance(1)
    const fork = await (await runtime.fork(one.runId, { input: 'deux' })).result
    await clock.advance(1)
    const rerun = await (await runtime.rerun(two.runId)).result
    expect((await runtime.session('s')).map(({ runId, relation, parent }) => [runId, relation, parent])).toEqual([
      [one.runId, 'initial', undefined],
      [two.runId, 'continue', one.runId],
      [fork.runId, 'branch', one.runId],
      [rerun.runId, 'rerun', two.runId],
    ])
    expect(await runtime.session('nobody')).toEqual([])
  })

  it('journals are visible only in their own scope', async () => {
    const { runtime } = setup()
    const { runId } = await runtime.run('a', 'ask', { scope: 'tenant', sessionId: 's' }).result
    const unknown = { info: { code: 'run-unknown', runId } }
    const wrong: Promise<unknown>[] = [
      eventsOf(runtime.replay(runId)),
      runtime.transcript(runId),
      runtime.fork(runId, { input: 'x' }),
      runtime.rerun(runId, { scope: 'elsewhere' }),
      runtime.resume(runId),
      runtime.decide(runId, 'x', { decision: { type: 'approved' } }),
    ]
    for (const attempt of wrong) await expect(attempt).rejects.toMatchObject(unknown)
    expect(await runtime.session('s')).toEqual([])
    const scope = 'tenant'
    expect(await eventsOf(runtime.replay(runId, { scope }))).not.toEqual([])
    expect(await runtime.session('s', { scope })).toHaveLength(1)
    expect((await (await runtime.resume(runId, { scope })).result).status).toBe('suspended')
    const fork = await runtime.fork(runId, { at: 1, input: 'hi', scope, sessionId: 'f' })
    expect(await fork.result).toMatchObject({ text: 'heard hi' })
    expect(await runtime.runs({ scope })).toHaveLength(2)
  })

  it('without a store transcript and fork reject with run-unknown, and session and prune find nothing', async () => {
    const runtime = createRuntime()
    await expect(runtime.transcript('r')).rejects.toMatchObject({ info: { code: 'run-unknown' } })
    await expect(runtime.fork('r')).rejects.toMatchObject({ info: { code: 'run-unknown' } })
    expect(await runtime.session('s')).toEqual([])
    expect(await runtime.prune({ olderThanMs: 1 })).toBe(0)
  })
})

describe('pruning', () => {
  it('prune removes ended runs by age and scope and returns their number', async () => {
    const { runtime, clock } = setup()
    const old = await runtime.run('a', 'one').result
    const waits = await runtime.run('a', 'ask').result
    await runtime.run('a', 'one', { scope: 'tenant' }).result
    await clock.advance(10_000)
    const fresh = await runtime.run('a', 'two').result
    expect(await runtime.prune({ olderThanMs: 10_001 })).toBe(0)
    expect(await runtime.prune({ olderThanMs: 5_000 })).toBe(1)
    expect((await runtime.runs()).map(({ runId }) => runId)).toEqual([fresh.runId, waits.runId])
    await expect(runtime.transcript(old.runId)).rejects.toMatchObject({ info: { code: 'run-unknown' } })
    expect(await runtime.prune({ olderThanMs: 5_000, scope: 'tenant' })).toBe(1)
  })

  it('prune rejects an invalid age and a store that cannot prune', async () => {
    const { runtime, store } = setup()
    await expect(runtime.prune({ olderThanMs: Number.NaN })).rejects.toThrow('prune.olderThanMs: is NaN')
    const { prune: _prune, ...forever } = store
    await expect(createRuntime({ store: forever }).prune({ olderThanMs: 1 })).rejects.toThrow(
      "store: 'memory' cannot remove runs",
    )
  })
})

describe('a session', () => {
  it('of many runs that start at once in one session, one wins and the others end with session-busy', async () => {
    const { runtime, store, clock } = setup()
    const second = createRuntime({
      store,
      clock,
      agents: [defineAgent({ name: 'a', model: scriptedModel(() => 'mine') })],
    })
    for (const round of [1, 2, 3]) {
      const results = await Promise.all([
        ...Array.from({ length: 3 }, () => say(runtime, `one ${round}`)),
        ...Array.from({ length: 3 }, () => say(second, `one ${round}`)),
      ])
      const winners = results.filter(({ status }) => status === 'completed')
      expect(winners).toHaveLength(1)
      const others = results.filter(({ status }) => status !== 'completed')
      for (const result of others) expect(result).toMatchObject({ status: 'failed', error: { code: 'session-busy' } })
      expect(await runtime.session('s')).toHaveLength(round)
      expect(winners[0]?.messages).toHaveLength(round * 2)
      await clock.advance(1)
    }
  })
})
