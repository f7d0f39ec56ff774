import {
  defineMiddleware,
  defineTool,
  toolError,
  toolHandoff,
  toolOk,
  type Entry,
  type Json,
  type Store,
} from '@parley/core'
import { createRuntime, defineAgent, type Agent, type Runtime, type RuntimeOptions } from '@parley/engine'
import { openSqliteStore } from '@parley/sqlite'
import { scriptedModel, type Script } from '@parley/testing'
import { describe, expect, it } from 'vitest'

const DEEP = '['.repeat(9_000) + ']'.repeat(9_000)
/** Times of a poisoned run in these tests. */
const FAST = { leaseMs: 20, autoResume: ['default'] } as const

function nested(levels: number): Json {
  let value: Json = 1
  for (let level = 0; level < levels; level++) value = [value]
  return value
}

function looped(): Json {
  const loop: Record<string, Json> = {}
  loop['loop'] = loop
  return loop
}

/** Calls `work` once, then answers. */
const WORKS: Script = ({ messages }) => (messages.length === 1 ? { toolCalls: [{ name: 'work' }] } : 'done')

function workTool(execute: () => unknown) {
  return defineTool({ name: 'work', description: 'Works.', input: { type: 'object' }, effect: 'read', execute })
}

function agentOf(script: Script, given: Partial<Agent> = {}) {
  const model = scriptedModel(script)
  return { model, agent: defineAgent({ name: 'a', model, ...given }) }
}

/** A store that refuses some appends. */
function refusing(inner: Store, refuse: (text: string) => unknown): Store {
  return {
    ...inner,
    append: async (append, options) => {
      const error = refuse(JSON.stringify(append.entries))
      if (error !== undefined) throw error
      await inner.append(append, options)
    },
  }
}

async function settled(store: Store, runId: string): Promise<readonly Entry[]> {
  await expect.poll(async () => (await store.run(runId))?.status, { interval: 10 }).not.toBe('running')
  return store.read(runId)
}

function runtimeOn(store: Store, agent: Agent, options: RuntimeOptions = {}): Runtime {
  return createRuntime({ store, agents: [agent], ...options })
}

describe('an answer that a store could not keep', () => {
  it.each([
    ['malformed and deep', '['.repeat(9_000)],
    ['deep', DEEP],
    ['as deep as a tool may not read it', JSON.stringify({ list: nested(300) })],
  ])('arguments that are %s fail their call, and the run completes after two model calls', async (_, text) => {
    await using store = await openSqliteStore({ path: ':memory:' })
    const script = [{ toolCalls: [{ name: 'work', arguments: text }] }, 'done']
    const { agent, model } = agentOf(script, { tools: [workTool(() => 1)] })
    await using runtime = runtimeOn(store, agent, FAST)
    const result = await runtime.run('a', 'go').result
    expect(result).toMatchObject({ status: 'completed', usage: { input: 20, output: 10 } })
    const entries = await settled(store, result.runId)
    expect(entries.find(({ type }) => type === 'tool.ended')).toMatchObject({
      error: { code: 'tool-arguments-unparsable' },
    })
    expect(model.requests).toHaveLength(2)
  })

  it('an answer with malformed fields is refused or read so that its journal can be read back', async () => {
    await using store = await openSqliteStore({ path: ':memory:' })
    const usage = { input: Number.NaN, output: 2.5, reasoning: -1, cacheRead: '3' as never, cacheWrite: 0 }
    const events = [
      { type: 'text.delta', text: 'Hello' },
      { type: 'usage', usage, costUsd: Number.NaN },
      { type: 'finish', reason: 'weird' as never },
    ] as const
    const odd = agentOf([
      { events },
      {
        events: [
          { type: 'tool-call', callId: 'c', name: 'n', arguments: {} as never },
          { type: 'finish', reason: 'stop' },
        ],
      },
    ])
    await using runtime = runtimeOn(store, odd.agent)
    const first = await runtime.run('a', 'go').result
    expect(first).toMatchObject({ status: 'completed', finish: 'other', usage: { input: 0, output: 3 } })
    const second = await runtime.run('a', 'go').result
    expect(second).toMatchObject({ status: 'failed', error: { code: 'model-stream' } })
    for (const { runId, seq } of await store.runs({ scope: 'default' }))
      expect(await store.read(runId)).toHaveLength(seq)
  })
})

describe('a value that a store could not keep', () => {
  it.each<[string, () => unknown]>([
    ['a BigInt', () => ({ count: 1n })],
    ['a cycle', looped],
    ['data in a cycle', () => toolOk('ok', looped())],
    ['deep data', () => toolOk('ok', nested(9_000))],
    ['data that can be written and not read back', () => toolOk('ok', nested(3_000))],
    ['data of more than a hundred million characters', () => toolOk('ok', 'x'.repeat(100_000_001))],
    ['content without text', () => toolOk([{ type: 'text' }] as never)],
    ['content that is no list', () => toolOk(5 as never)],
    ['a failure with deep metadata', () => toolError('no', { metadata: nested(9_000) })],
  ])('a tool that returns %s fails, and the run completes', async (_, execute) => {
    await using store = await openSqliteStore({ path: ':memory:' })
    const { agent, model } = agentOf(WORKS, { tools: [workTool(execute)] })
    await using runtime = runtimeOn(store, agent)
    const result = await runtime.run('a', 'go').result
    expect(result.status).toBe('completed')
    const ended = (await store.read(result.runId)).find(entry => entry.type === 'tool.ended')
    expect(ended).toMatchObject({ error: { code: 'tool-failed' } })
    expect(model.requests).toHaveLength(2)
  })

  it('input of a middleware that a store could not keep is refused as the input of the call', async () => {
    await using store = await openSqliteStore({ path: ':memory:' })
    const deepen = defineMiddleware('deepen', () => ({
      tool: (call, next) => next({ ...call, input: nested(9_000) }),
    }))
    const { agent } = agentOf(WORKS, { tools: [workTool(() => 'ok')], middleware: [deepen] })
    await using runtime = runtimeOn(store, agent)
    const result = await runtime.run('a', 'go').result
    expect(result.status).toBe('completed')
    expect(JSON.stringify(await store.read(result.runId))).toContain('tool-input-invalid')
  })

  it.each([
    ['input', { type: 'text', text: 'x', providerData: { provider: 'p', data: nested(300) } }, {}],
    ['metadata', undefined, { metadata: { deep: nested(300) } }],
    ['metadata', undefined, { metadata: { count: 1n as never } }],
    ['principal', undefined, { principal: { id: 'u', roles: [nested(300)] } }],
    [
      'history',
      undefined,
      { history: [{ role: 'tool', callId: 'c', name: 'n', content: [], structured: nested(300) }] },
    ],
  ] as const)('run rejects %s that a store could not keep with request-invalid', async (path, part, options) => {
    await using store = await openSqliteStore({ path: ':memory:' })
    await using runtime = runtimeOn(store, agentOf(['hello']).agent)
    const input = part === undefined ? 'go' : { role: 'user' as const, content: [part as never] }
    expect(() => runtime.run('a', input, options as never)).toThrow(
      expect.objectContaining({ info: expect.objectContaining({ code: 'request-invalid', path }) as unknown }) as Error,
    )
  })
})

describe('a run whose every attempt fails', () => {
  it('a hook that always throws ends the run as failed with a dead letter and its usage', async () => {
    await using store = await openSqliteStore({ path: ':memory:' })
    const broken = defineMiddleware('broken', () => {
      throw new Error('the hook is broken')
    })
    const other = defineAgent({ name: 'b', model: scriptedModel(['never']), middleware: [broken] })
    const handOver = workTool(() => toolHandoff(other))
    const { agent, model } = agentOf(WORKS, { tools: [handOver], handoffs: [other] })
    await using runtime = runtimeOn(store, agent, FAST)
    const result = await runtime.run('a', 'go').result
    expect(result).toMatchObject({ status: 'failed', error: { code: 'internal', detail: 'the hook is broken' } })
    expect(result.usage.input).toBe(10)
    const letters = await store.deadLetters?.list()
    expect(letters).toMatchObject([
      { id: result.runId, subscriber: 'runtime', attempts: 1, event: { type: 'run.ended' } },
    ])
    expect(model.requests).toHaveLength(1)
  })

  it('an entry that JSON.stringify refuses ends the run as failed, with the usage of the call whose answer is lost', async () => {
    await using inner = await openSqliteStore({ path: ':memory:' })
    // The stack of the error names this file.
    const store = refusing(inner, text =>
      text.includes('"poison"') ? new RangeError('Invalid string length') : undefined,
    )
    const { agent, model } = agentOf(['poison'])
    await using runtime = runtimeOn(store, agent, FAST)
    const result = await runtime.run('a', 'go').result
    expect(result).toMatchObject({ status: 'failed', usage: { input: 10, output: 5 }, partialText: '' })
    expect((await settled(store, result.runId)).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['model.failed', 'run.failed', 'run.ended']) as unknown,
    )
    expect(model.requests).toHaveLength(1)
  })

  it('a store that always refuses one entry ends the run as failed after six model calls, with a dead letter', async () => {
    await using inner = await openSqliteStore({ path: ':memory:' })
    const store = refusing(inner, text => (text.includes('poison') ? new Error('too large') : undefined))
    const { agent, model } = agentOf(() => 'poison')
    await using runtime = runtimeOn(store, agent, FAST)
    const { runId } = await runtime.run('a', 'go').result
    const error = { code: 'limit-reached', limit: 'resumes without progress' }
    expect((await settled(store, runId)).at(-1)).toMatchObject({ type: 'run.ended', outcome: { error } })
    expect(model.requests).toHaveLength(6)
    expect(await store.deadLetters?.get(runId)).toMatchObject({ attempts: 6, reason: 'failed' })
  })

  it('a tool that ends each process is called thirteen times, and then the run ends as failed', async () => {
    await using store = await openSqliteStore({ path: ':memory:' })
    let calls = 0
    // The process of a handler that never returns does nothing more, like a dead one.
    const { agent } = agentOf(WORKS, { tools: [workTool(() => new Promise(() => void (calls += 1)))] })
    const { runId } = createRuntime({ store, agents: [agent] }).run('a', 'go')
    for (let attempt = 1; attempt <= 12; attempt++) {
      await expect.poll(() => calls, { interval: 5 }).toBe(attempt)
      await createRuntime({ store, agents: [agent] }).resume(runId, { force: true })
    }
    await expect.poll(() => calls, { interval: 5 }).toBe(13)
    const last = await createRuntime({ store, agents: [agent] }).resume(runId, { force: true })
    expect(await last.result).toMatchObject({ status: 'failed', error: { code: 'limit-reached' } })
    expect(calls).toBe(13)
    expect(await store.deadLetters?.get(runId)).toMatchObject({ attempts: 13 })
  })

  it('a run whose process is killed twelve times during the same model call completes', async () => {
    await using store = await openSqliteStore({ path: ':memory:' })
    let calls = 0
    // The process of a call that never ends does nothing more, like a dead one.
    const hang: Script = () => {
      calls += 1
      return { text: 'Half', until: new Promise<void>(() => {}) }
    }
    const { runId } = createRuntime({ store, agents: [agentOf(hang).agent] }).run('a', 'go')
    for (let kill = 1; kill < 12; kill++) {
      await expect.poll(() => calls, { interval: 5 }).toBe(kill)
      await createRuntime({ store, agents: [agentOf(hang).agent] }).resume(runId, { force: true })
    }
    await expect.poll(() => calls, { interval: 5 }).toBe(12)
    const last = await createRuntime({ store, agents: [agentOf(['done']).agent] }).resume(runId, { force: true })
    expect(await last.result).toMatchObject({ status: 'completed', text: 'done' })
  })

  it('a run that is interrupted many times, and comes further each time, completes', async () => {
    await using inner = await openSqliteStore({ path: ':memory:' })
    let answers = 0
    const store = refusing(inner, text => {
      if (text.includes('model.called')) answers += 1
      return text.includes('model.called') && answers % 2 === 1 ? new Error('down') : undefined
    })
    const script: Script = ({ messages }) => (messages.length < 20 ? { toolCalls: [{ name: 'work' }] } : 'done')
    const { agent } = agentOf(script, { tools: [workTool(() => 'ok')] })
    await using runtime = runtimeOn(store, agent, { leaseMs: 5, autoResume: ['default'] })
    const { runId } = runtime.run('a', 'go')
    const entries = await settled(store, runId)
    expect(entries.at(-1)).toMatchObject({ outcome: { status: 'completed' } })
    expect(entries.filter(({ type }) => type === 'run.resumed').length).toBeGreaterThan(6)
  })

  it('a poisoned child run ends as failed, and its parent run completes', async () => {
    await using inner = await openSqliteStore({ path: ':memory:' })
    const store = refusing(inner, text => (text.includes('"poison"') ? new Error('too large') : undefined))
    const child = defineAgent({ name: 'child', model: scriptedModel(() => 'poison') })
    const delegate = defineTool({
      name: 'work',
      description: 'Works.',
      input: { type: 'object' },
      effect: 'idempotent',
      execute: async (_, context) => (await context.delegate?.({ agent: child, input: 'go' }))?.status,
    })
    const { agent } = agentOf(WORKS, { tools: [delegate] })
    await using runtime = runtimeOn(store, agent, FAST)
    const { runId } = runtime.run('a', 'go')
    expect((await settled(store, runId)).at(-1)).toMatchObject({ outcome: { status: 'completed' } })
    expect((await store.runs({ scope: 'default' })).map(({ status }) => status).toSorted()).toEqual([
      'completed',
      'failed',
    ])
  })

  it('a run whose journal cannot be read ends as failed, and the other runs of its scope are resumed', async () => {
    await using store = await openSqliteStore({ path: ':memory:' })
    const first = { worker: 'gone', fence: 1, expectedSeq: 0 }
    const start = (sessionId: string): Entry => ({
      v: 1,
      seq: 1,
      at: 1,
      type: 'run.started',
      agent: 'a',
      model: 'm',
      scope: 'default',
      relation: 'initial',
      sessionId,
    })
    const damaged = {
      v: 1,
      seq: 2,
      at: 2,
      type: 'message.appended',
      source: 'input',
      message: { role: 'weird' },
    } as never
    const message = { role: 'user' as const, content: [{ type: 'text' as const, text: 'go' }] }
    const sound: Entry = { v: 1, seq: 2, at: 2, type: 'message.appended', source: 'input', message }
    const left: Entry = { v: 1, seq: 3, at: 3, type: 'run.suspended', approvals: [], reason: 'shutdown' }
    await store.append({ ...first, runId: 'damaged', entries: [start('s1'), damaged] })
    await store.append({
      ...first,
      runId: 'suspended',
      entries: [start('s2'), damaged, { ...left, approvals: 5 as never }],
    })
    await store.append({ ...first, runId: 'sound', entries: [start('s3'), sound, left] })
    await store.inbox?.put({
      runId: 'damaged',
      id: 'i',
      at: 1,
      command: { type: 'message', kind: 'steering', message },
    })
    const { agent, model } = agentOf(['done'])
    await using _runtime = runtimeOn(store, agent, FAST)
    await expect.poll(async () => (await store.run('damaged'))?.status, { interval: 10 }).toBe('failed')
    await expect.poll(async () => (await store.run('suspended'))?.status, { interval: 10 }).toBe('failed')
    await expect.poll(async () => (await store.run('sound'))?.status, { interval: 10 }).toBe('completed')
    expect(await store.deadLetters?.get('damaged')).toMatchObject({ reason: 'failed', attempts: 6 })
    expect(model.requests).toHaveLength(1)
  })
})
