import { defineTool, type Store, type ToolSource } from '@parley/core'
import { fakeClock, scriptedModel } from '@parley/testing'
import { describe, expect, it, vi } from 'vitest'
import { createRuntime, defineAgent } from '../index.ts'
import { isValidTranscript } from '../journal.ts'
import { createMemoryStore } from '@parley/memory-store'
import { add, callAdd, setup, toldTo } from '../runtime/__fixtures__/set-up-agent.ts'

describe('stopping before the first entry', () => {
  it('a cancel before the first entry is journaled after it', async () => {
    for (const store of [undefined, createMemoryStore()]) {
      const agents = [defineAgent({ name: 'a', model: scriptedModel([]) })]
      const runtime = createRuntime({ store, agents })
      const run = runtime.run('a', 'go', { signal: AbortSignal.abort(new Error('too late')), sessionId: 's' })
      const types: string[] = []
      for await (const { type } of run) types.push(type)
      expect(types).toEqual(['run.started', 'message.appended', 'cancel.requested', 'run.ended'])
      expect(await run.result).toMatchObject({ status: 'cancelled', reason: { kind: 'user', detail: 'too late' } })
    }
  })

  it('a tool source that is aborted with the run does not fail it', async () => {
    const source: ToolSource = {
      name: 'slow',
      tools: ({ signal } = {}) =>
        new Promise((_, reject) => {
          const stop = (): void => reject(new Error('source stopped'))
          if (signal?.aborted === true) stop()
          else signal?.addEventListener('abort', stop)
        }),
      [Symbol.asyncDispose]: async () => {},
    }
    const run = createRuntime().run(defineAgent({ name: 'a', model: scriptedModel([]), tools: [source] }), 'go')
    await new Promise(resolve => setImmediate(resolve))
    await run.cancel()
    expect(await run.result).toMatchObject({ status: 'cancelled' })
  })

  it('a message sent before the first entry joins the first model call', async () => {
    const model = scriptedModel(['Both.'])
    const runtime = createRuntime({ store: createMemoryStore(), agents: [defineAgent({ name: 'a', model })] })
    const run = runtime.run('a', 'one', { sessionId: 's' })
    await run.steer('two')
    expect(await run.result).toMatchObject({ text: 'Both.', turns: 1 })
    expect(model.requests[0]?.messages).toHaveLength(2)
  })
})

describe('stopping', () => {
  it('a cancel ends a hanging model call at once, without a partial message', async () => {
    const { run } = setup([{ text: 'part of', hang: true }])
    const stopped = run()
    for await (const event of stopped) {
      if (event.type === 'text.delta') void stopped.cancel({ kind: 'user', detail: 'enough' })
    }
    const result = await stopped.result
    expect(result).toMatchObject({ status: 'cancelled', reason: { kind: 'user', detail: 'enough' }, partialText: '' })
    expect(result.messages).toHaveLength(1)
  })

  it('a cancel does not wait for a model that ignores its signal', async () => {
    const model = {
      provider: 'p',
      id: 'm',
      info: {},
      async *stream() {
        await new Promise(() => {})
      },
    }
    const run = createRuntime({ clock: fakeClock() }).run(defineAgent({ name: 'deaf', model }), 'go')
    await new Promise(resolve => setImmediate(resolve))
    await run.cancel()
    expect(await run.result).toMatchObject({ status: 'cancelled' })
  })

  it('a cancel gives every open call a result', async () => {
    const begun = Promise.withResolvers<void>()
    const execute = (_: unknown, { signal }: { signal: AbortSignal }) => {
      begun.resolve()
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
    }
    const given = setup([{ toolCalls: [{ name: 'add' }, { name: 'add' }] }], {
      toolExecution: 'sequential',
      tools: [defineTool({ name: 'add', description: 'Hangs.', input: { type: 'object' }, execute })],
    })
    const run = given.run()
    await begun.promise
    void run.cancel()
    const { messages, status } = await run.result
    expect(status).toBe('cancelled')
    expect(isValidTranscript(messages)).toBe(true)
    expect(messages.slice(-2).map(message => message.role === 'tool' && message.content)).toEqual([
      [{ type: 'text', text: "'add' was cancelled while it ran; it may have taken partial effect." }],
      [{ type: 'text', text: "'add' was cancelled before it ran." }],
    ])
  })

  it('a cancel between the start of a call and its handler keeps the handler from starting', async () => {
    let started = 0
    const execute = (): void => {
      started += 1
    }
    const tools = [defineTool({ name: 'add', description: 'Adds.', input: { type: 'object' }, execute })]
    const agents = [defineAgent({ name: 'a', model: scriptedModel([{ toolCalls: [{ name: 'add' }] }]), tools })]
    const store = createMemoryStore()
    const cancelling: Store = {
      ...store,
      append: append => {
        if (append.entries.some(entry => entry.type === 'tool.started')) void run.cancel()
        return store.append(append)
      },
    }
    const run = createRuntime({ agents, store: cancelling }).run('a', 'go')
    const { messages, status } = await run.result
    expect({ status, started }).toEqual({ status: 'cancelled', started: 0 })
    expect(JSON.stringify(messages.at(-1))).toContain('was cancelled before it ran')
  })

  it('a run with an aborted signal makes no model call', async () => {
    const { model, runtime } = setup(['x'])
    const result = await runtime.run('a', 'go', { signal: AbortSignal.abort() }).result
    expect(result).toMatchObject({ status: 'cancelled', reason: { kind: 'user' } })
    expect(model.requests).toHaveLength(0)
  })

  it('a cancel is journaled after run.started even if it comes first', async () => {
    const store = createMemoryStore()
    const agents = [defineAgent({ name: 'a', model: setup([]).model })]
    const runtime = createRuntime({ agents, store })
    for (const sessionId of [undefined, 's']) {
      const result = await runtime.run('a', 'go', { signal: AbortSignal.abort(), sessionId }).result
      expect(result).toMatchObject({ status: 'cancelled', reason: { kind: 'user' } })
      const types = (await store.read(result.runId)).map(entry => entry.type)
      expect(types).toEqual(['run.started', 'message.appended', 'cancel.requested', 'run.ended'])
    }
  })

  it('the first of several cancel reasons counts', async () => {
    const { run } = setup([{ hang: true }])
    const stopped = run()
    await Promise.all([stopped.cancel({ kind: 'guard' }), stopped.cancel({ kind: 'user' })])
    expect(await stopped.result).toMatchObject({ status: 'cancelled', reason: { kind: 'guard' } })
  })

  it('the duration limit ends a run in the middle of a turn', async () => {
    const { clock, run } = setup([{ hang: true }], { limits: { maxDurationMs: 5_000 } })
    const late = run()
    await clock.advance(5_000)
    expect(await late.result).toMatchObject({
      status: 'limit',
      hit: { limit: 'duration', max: 5_000 },
      messages: [{}, { role: 'user', content: [{ text: '[Agent stopped: Max duration reached (5s/5s)]' }] }],
    })
  })

  it('a cancelled run stays cancelled after a crash: open calls get results, and no handler runs', async () => {
    const first = setup([callAdd, 'x'])
    const store = createMemoryStore()
    const agents = [defineAgent({ name: 'a', model: first.model, tools: [add] })]
    const { runId } = await createRuntime({ agents, store }).run('a', 'go').result
    const untilCall = (await store.read(runId)).slice(0, 4)
    const cancel = { v: 1, seq: 5, at: 5, type: 'cancel.requested', reason: { kind: 'user' } } as const
    const cut = createMemoryStore()
    await cut.append({ runId, expectedSeq: 0, worker: 'gone', fence: 1, entries: [...untilCall, cancel] })
    const execute = vi.fn(() => 'ran')
    const tools = [defineTool({ name: 'add', description: 'Adds.', input: { type: 'object' }, execute })]
    const again = createRuntime({
      agents: [defineAgent({ name: 'a', model: first.model, tools })],
      store: cut,
      isWorkerGone: () => true,
    })
    const result = await (await again.resume(runId)).result
    expect(result.status).toBe('cancelled')
    expect(isValidTranscript(result.messages)).toBe(true)
    expect(execute).not.toHaveBeenCalled()
  })

  it('an ended run leaves no timer', async () => {
    const { clock, run } = setup([callAdd, 'x'])
    await run().result
    expect(clock.pending).toBe(0)
  })

  it('close lets runs end and then cancels the rest', async () => {
    const gate = Promise.withResolvers<void>()
    const { clock, runtime } = setup([{ until: gate.promise, text: 'in time' }, { hang: true }])
    const quick = runtime.run('a', 'go')
    const slow = runtime.run('a', 'go')
    await new Promise(resolve => setImmediate(resolve))
    const closing = runtime.close({ drainMs: 1_000 })
    gate.resolve()
    expect(await quick.result).toMatchObject({ status: 'completed' })
    await clock.advance(1_000)
    await closing
    expect(await slow.result).toMatchObject({ status: 'cancelled', reason: { kind: 'shutdown' } })
    await runtime.close()
  })
})

describe('steering', () => {
  it('a steering message joins after the results of running calls, and skips calls that have not started', async () => {
    const given = setup(
      [
        {
          toolCalls: [
            { name: 'add', input: { a: 1 } },
            { name: 'add', input: { a: 2 } },
          ],
        },
        'Ok.',
      ],
      { toolExecution: 'sequential' },
    )
    const run = given.run()
    for await (const event of run) if (event.type === 'tool.started') await run.steer('stop that')
    expect(given.model.requests[1]?.messages.map(message => message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
      'user',
    ])
    expect(toldTo(given)).toEqual(['2', "'add' was skipped because a new message from the user came first."])
  })

  it('a follow-up message starts another turn when the run would end', async () => {
    const { model, run } = setup(['First.', 'Second.'])
    const running = run()
    for await (const event of running)
      if (event.type === 'model.started' && event.turn === 1) await running.followUp('and?')
    expect(await running.result).toMatchObject({ status: 'completed', text: 'Second.', turns: 2 })
    expect(model.requests).toHaveLength(2)
  })

  it('steer and followUp reject after the run has ended', async () => {
    const { run } = setup(['x'])
    const ended = run()
    await ended.result
    await expect(ended.steer('more')).rejects.toThrow('has already ended')
  })
})
