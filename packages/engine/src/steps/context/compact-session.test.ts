import { createMemoryStore } from '@parley/memory-store'
import { phiCompaction, slidingWindow, summarize } from '@parley/context-policies'
import { ParleyError, type ContextPolicy, type Entry } from '@parley/core'
import { fakeClock, scriptedModel, type Script } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createRuntime, defineAgent, promptTemplate, type Agent, type RuntimeOptions } from '../../index.ts'
import { eventsOf } from '../../runtime/__fixtures__/set-up-agent.ts'
import { charCounter, textsOf } from './__fixtures__/scope-over.ts'

const usage = { input: 100, output: 20 }
const SUMMARY = 'user: [Summary of the conversation so far]\n'

/** A session of five questions and answers, and the model that answered. */
async function setup(
  context: Agent['context'] | undefined,
  script: Script = ['What was said.'],
  more: Partial<Agent> = {},
) {
  const store = createMemoryStore()
  const model = scriptedModel(({ messages }) => ({ text: `Answer to ${messages.length}.`, usage }))
  const writer = scriptedModel(script, { id: 'writer' })
  const policy = context ?? summarize({ model: writer, keepRecentTurns: 1 })
  const agent = defineAgent({ name: 'a', model, context: policy, tokenCounter: charCounter, ...more })
  const other = defineAgent({ name: 'other', model, context: 'none' })
  const options: RuntimeOptions = { store, agents: [agent, other] }
  const runtime = createRuntime(options)
  for (let number = 1; number <= 5; number++) await runtime.run('a', `Question ${number}?`, { sessionId: 's' }).result
  const [last] = await runtime.runs({ limit: 1 })
  return { store, model, writer, options, runtime, last: last?.runId ?? '' }
}

function compactedOf(entries: readonly Entry[]) {
  return entries.flatMap(entry => (entry.type === 'context.compacted' ? [entry] : []))
}

describe('runtime.compact', () => {
  it('runtime.compact compacts a session in a separate run, and the session continues from it', async () => {
    const { store, runtime, model, last } = await setup(undefined, [{ text: 'What was said.', usage }])
    const run = await runtime.compact('s', { metadata: { by: 'hand' } })
    const events = (await eventsOf(run)).map(({ type }) => type)
    expect(events).toEqual(['run.started', 'context.compacting', 'context.compacted', 'run.ended'])
    const result = await run.result
    expect(result).toMatchObject({ status: 'completed', sessionId: 's', text: '', turns: 0, usage })
    expect(result.messages).toHaveLength(10)
    const [started, compacted] = await store.read(run.runId)
    const base = { runId: last, seq: (await store.run(last))?.seq }
    expect(started).toMatchObject({ relation: 'compaction', base, agent: 'a', metadata: { by: 'hand' } })
    expect(compacted).toMatchObject({ policy: 'summarize', trigger: 'manual', usage })
    expect(compacted).toMatchObject({ before: { messages: 10 }, after: { messages: 3 } })

    await runtime.run('a', 'And now?', { sessionId: 's' }).result
    expect(textsOf(model.requests.at(-1)?.messages ?? [])).toEqual([
      `${SUMMARY}What was said.`,
      'user: Question 5?',
      'assistant: Answer to 9.',
      'user: And now?',
    ])
    expect((await runtime.session('s')).map(({ relation }) => relation).slice(-2)).toEqual(['compaction', 'continue'])
    expect(await runtime.runs({ relation: 'compaction' })).toMatchObject([{ runId: run.runId, parent: last }])
  })

  it('a second runtime.compact changes nothing and records that', async () => {
    const { store, runtime, writer } = await setup(undefined)
    await (
      await runtime.compact('s')
    ).result
    const again = await runtime.compact('s')
    expect(await again.result).toMatchObject({ status: 'completed' })
    const [compacted] = compactedOf(await store.read(again.runId))
    expect(compacted).toMatchObject({ before: { messages: 3 }, after: { messages: 3 } })
    expect(writer.requests).toHaveLength(1)
  })

  it.each([
    ['a dropping policy keeps messages within its bounds', slidingWindow({ maxMessages: 20 }), 10],
    ['a dropping policy drops to three quarters of its bounds', slidingWindow({ maxMessages: 10 }), 6],
    // A digest of the two earlier runs, and the last turn of the newest run.
    [
      'phiCompaction treats the newest run as the current run',
      phiCompaction({ keepFirstTurns: 0, keepRecentTurns: 1, maxSummaryTokens: 1, scope: 2 }),
      3,
    ],
  ] as const)('runtime.compact with %s', async (_, policy, messages) => {
    const { runtime, store } = await setup(policy)
    const run = await runtime.compact('s')
    await run.result
    expect(compactedOf(await store.read(run.runId))[0]?.after.messages).toBe(messages)
  })

  it('runtime.compact fails when the policy fails, and the next run sends all messages', async () => {
    const error = { code: 'model-server' as const, provider: 'scripted', model: 'writer', detail: 'gone' }
    const { runtime, store, model } = await setup(undefined, [{ error, usage }])
    const run = await runtime.compact('s')
    expect(await run.result).toMatchObject({ status: 'failed', error: { code: 'model-server' }, usage })
    expect(compactedOf(await store.read(run.runId))[0]).toMatchObject({ error, after: { messages: 10 } })
    await runtime.run('a', 'And now?', { sessionId: 's' }).result
    expect(model.requests.at(-1)?.messages).toHaveLength(11)
  })

  it('runtime.compact fails when the summarizing request is too long, and does not compact again', async () => {
    const error = { code: 'model-context-length' as const, provider: 'scripted', model: 'writer', detail: 'too long' }
    const { runtime, store } = await setup(undefined, [{ error }])
    const run = await runtime.compact('s')
    expect(await run.result).toMatchObject({ status: 'failed', error })
    expect(compactedOf(await store.read(run.runId))).toHaveLength(1)
  })

  it('runtime.compact rejects a busy session, an unknown session, an agent without a policy and a runtime without a store', async () => {
    const { runtime, model } = await setup(undefined)
    const refusal = async (call: Promise<unknown>) => {
      const error = await call.catch((cause: unknown) => cause)
      return ParleyError.is(error) ? error.info : error
    }
    expect(await refusal(runtime.compact('nobody’s'))).toMatchObject({ code: 'config-invalid', path: 'sessionId' })
    const elsewhere = runtime.compact('s', { scope: 'elsewhere' })
    expect(await refusal(elsewhere)).toMatchObject({ code: 'config-invalid', path: 'sessionId' })
    const unbounded = runtime.compact('s', { agent: 'other' })
    expect(await refusal(unbounded)).toMatchObject({ code: 'config-invalid', path: 'agents.other.context' })
    const without = createRuntime({ agents: [defineAgent({ name: 'a', model })] })
    expect(await refusal(without.compact('s'))).toMatchObject({ code: 'config-invalid', path: 'store' })

    const live = runtime.run('a', 'One more?', { sessionId: 's' })
    for await (const { type } of live) if (type === 'message.appended') break
    expect(await refusal(runtime.compact('s'))).toMatchObject({ code: 'session-busy', sessionId: 's' })
    await live.result
    await runtime.close()
    expect(await refusal(runtime.compact('s'))).toMatchObject({ code: 'runtime-closed' })
  })

  it('a compaction run rejects messages from this and another process, and keeps its session busy', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { runtime, options, store } = await setup(undefined, [{ text: 'What was said.', until: promise }])
    const run = await runtime.compact('s')
    for await (const { type } of run) if (type === 'context.compacting') break
    const rejection = { name: 'ParleyError', info: { code: 'input-rejected', filter: 'compaction' } }
    await expect(run.steer('Stop that.')).rejects.toMatchObject(rejection)
    const busy = await runtime.run('a', 'Meanwhile?', { sessionId: 's' }).result
    expect(busy).toMatchObject({ status: 'failed', error: { code: 'session-busy' } })
    await createRuntime({ ...options, worker: 'elsewhere' }).followUp(run.runId, 'From afar.')
    resolve()
    expect(await run.result).toMatchObject({ status: 'completed' })
    const entries = await store.read(run.runId)
    expect(entries.filter(({ type }) => type === 'input.filtered')).toHaveLength(2)
    expect(entries.some(({ type }) => type === 'input.queued' || type === 'message.appended')).toBe(false)
  })

  it('cancelling a compaction run leaves the session unchanged', async () => {
    const { runtime, model } = await setup(undefined, [{ hang: true }])
    const run = await runtime.compact('s')
    for await (const { type } of run) if (type === 'context.compacting') break
    await run.cancel()
    expect(await run.result).toMatchObject({ status: 'cancelled', reason: { kind: 'user' } })
    await runtime.run('a', 'And now?', { sessionId: 's' }).result
    expect(model.requests.at(-1)?.messages).toHaveLength(11)
  })

  it('a compaction run ends at the agent’s duration limit and adds no message', async () => {
    const { options } = await setup(undefined, [{ hang: true }], { limits: { maxDurationMs: 1_000 } })
    const clock = fakeClock()
    const run = await createRuntime({ ...options, clock }).compact('s')
    for await (const { type } of run) if (type === 'context.compacting') break
    await clock.advance(1_000)
    const result = await run.result
    expect(result).toMatchObject({ status: 'limit', hit: { limit: 'duration' } })
    expect(result.messages).toHaveLength(10)
  })

  it('another process resumes a compaction run with the variables of the session', async () => {
    const instructions = promptTemplate({ template: 'For {{reader}}.', variables: ['reader'], required: ['reader'] })
    const { options, store, writer } = await setup(undefined, [{ hang: true }, 'What was said.'])
    const named = [
      ...(options.agents ?? []),
      defineAgent({ ...(options.agents?.[0] as Agent), name: 'b', instructions }),
    ]
    const first = createRuntime({ ...options, agents: named, onClose: 'suspend' })
    await first.run('b', 'Question 6?', { sessionId: 's', variables: { reader: 'a child' } }).result
    const cut = await first.compact('s')
    for await (const { type } of cut) if (type === 'context.compacting') break
    await first.close({ drainMs: 0 })
    expect(await cut.result).toMatchObject({ status: 'suspended', reason: 'shutdown' })

    const second = createRuntime({ ...options, agents: named, worker: 'second' })
    const { runs } = await second.resumeAll()
    expect(await runs[0]?.result).toMatchObject({ status: 'completed', runId: cut.runId })
    // The tokens of the first attempt count.
    expect(compactedOf(await store.read(cut.runId))).toMatchObject([
      { after: { messages: 12 }, error: { code: 'cancelled', kind: 'shutdown' } },
      { after: { messages: 3 } },
    ])
    expect(writer.requests).toHaveLength(2)
  })

  it('a resumed compaction run fails when the agent no longer has a policy', async () => {
    const { options } = await setup(undefined, [{ hang: true }])
    const first = createRuntime({ ...options, onClose: 'suspend' })
    const cut = await first.compact('s')
    for await (const { type } of cut) if (type === 'context.compacting') break
    await first.close({ drainMs: 0 })
    const agents = options.agents?.map(agent => ({ ...agent, context: 'none' as const }))
    const resumed = await createRuntime({ ...options, agents }).resume(cut.runId)
    const error = { code: 'config-invalid', path: 'agents.a.context' }
    expect(await resumed.result).toMatchObject({ status: 'failed', error })
  })

  it('fork and rerun of a compaction run require an input', async () => {
    const { runtime, model } = await setup(undefined)
    const { runId, result } = await runtime.compact('s')
    await result
    const info = { code: 'config-invalid', path: 'input' }
    await expect(runtime.rerun(runId)).rejects.toMatchObject({ info })
    await expect(runtime.fork(runId)).rejects.toMatchObject({ info })
    await (
      await runtime.fork(runId, { input: 'And now?' })
    ).result
    expect(model.requests.at(-1)?.messages).toHaveLength(4)
  })

  it('a compaction run fails when the policy separates a call from its result', async () => {
    const broken: ContextPolicy = {
      name: 'broken',
      due: () => false,
      compact: () => ({ view: [{ messages: [{ role: 'tool', callId: 'c', name: 't', content: [] }] }] }),
    }
    const { runtime } = await setup(broken)
    expect(await (await runtime.compact('s')).result).toMatchObject({ status: 'failed', error: { code: 'internal' } })
  })
})
