import {
  createId,
  defineMiddleware,
  defineTool,
  toolError,
  toolOk,
  type RunEvent,
  type Tool,
  type ToolSource,
} from '@parley/core'
import { fakeClock, scriptedModel, type Script } from '@parley/testing'
import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { createMemoryStore, createRuntime, defineAgent, isValidTranscript, type Agent } from '../index.ts'

const add = defineTool({
  name: 'add',
  description: 'Adds.',
  input: z.object({ a: z.number(), b: z.number().default(1) }),
  execute: ({ a, b }) => a + b,
})
const callAdd = { toolCalls: [{ name: 'add', input: { a: 1, b: 2 } }] }

function setup(script: Script, agent: Partial<Agent> = {}) {
  const model = scriptedModel(script)
  const clock = fakeClock()
  const runtime = createRuntime({ clock, agents: [defineAgent({ name: 'a', model, tools: [add], ...agent })] })
  return { model, clock, runtime, run: (input = 'go') => runtime.run('a', input) }
}

async function eventsOf(run: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const events: RunEvent[] = []
  for await (const event of run) events.push(event)
  return events
}

/** What the model was told about the calls of its first answer. */
function toldTo({ model }: ReturnType<typeof setup>): string[] {
  return (model.requests[1]?.messages ?? []).flatMap(message =>
    message.role === 'tool' ? message.content.map(part => (part.type === 'text' ? part.text : '')) : [],
  )
}

describe('a run', () => {
  it('answers with text, usage and a transcript', async () => {
    const { run } = setup(['Hello there.'])
    expect(await run().result).toMatchObject({
      status: 'completed',
      finish: 'stop',
      text: 'Hello there.',
      turns: 1,
      usage: { input: 10, output: 5 },
      messages: [{ role: 'user' }, { role: 'assistant' }],
    })
  })

  it('shows text before the model call is over', async () => {
    const gate = Promise.withResolvers<void>()
    const { runtime, run } = setup([])
    await runtime.close()
    const model = {
      provider: 'p',
      id: 'm',
      info: {},
      async *stream() {
        yield { type: 'text.delta', text: 'early' } as const
        await gate.promise
        yield { type: 'finish', reason: 'stop' } as const
      },
    }
    const live = createRuntime().run(defineAgent({ name: 'b', model }), 'go')
    for await (const event of live) {
      if (event.type === 'text.delta') gate.resolve()
    }
    expect(await live.result).toMatchObject({ text: 'early' })
    expect(run).toThrow('closed')
  })

  it('runs tools with validated input and tells the model what they gave', async () => {
    const given = setup([{ toolCalls: [{ name: 'add', input: { a: 4 } }] }, 'Five.'])
    expect(await given.run().result).toMatchObject({ status: 'completed', text: 'Five.', turns: 2 })
    expect(toldTo(given)).toEqual(['5'])
  })

  it('shows every entry in order, with numbers without gaps, and ends with run.ended', async () => {
    const { run } = setup([callAdd, 'Three.'])
    const events = await eventsOf(run())
    const entries = events.filter(event => 'v' in event)
    expect(entries.map(event => event.type)).toEqual([
      'run.started',
      'message.appended',
      'model.called',
      'message.appended',
      'tool.started',
      'tool.ended',
      'model.called',
      'message.appended',
      'run.ended',
    ])
    expect(entries.map(event => event.seq)).toEqual(entries.map((_, index) => index + 1))
    expect(new Set(events.map(event => event.type))).toContain('tool-call.delta')
    expect(events.at(-1)?.type).toBe('run.ended')
  })

  it('gives a late reader the entries, and several readers the same', async () => {
    const { run } = setup(['Hi.'])
    const started = run()
    const early = eventsOf(started)
    await started.result
    const late = await eventsOf(started)
    expect((await early).filter(event => 'v' in event)).toEqual(late)
  })

  it('goes on when its reader leaves', async () => {
    const { run } = setup([callAdd, 'Three.'])
    const left = run()
    for await (const event of left) if (event.type === 'model.started') break
    expect(await left.result).toMatchObject({ status: 'completed', text: 'Three.' })
  })
})

describe('a tool call that goes wrong', () => {
  const failing = (execute: Tool['execute']): Partial<Agent> => ({
    tools: [defineTool({ name: 'add', description: 'Adds.', input: { type: 'object' }, execute })],
  })

  it.each([
    ['is for a tool that does not exist', { name: 'sub' }, "There is no tool named 'sub'. Available tools: add."],
    [
      'has arguments that are no JSON',
      { name: 'add', arguments: '{"a":' },
      "The arguments of 'add' are not valid JSON",
    ],
    [
      'does not fit the schema',
      { name: 'add', input: { a: 'x' } },
      "The arguments of 'add' do not fit its schema: /a ",
    ],
  ])('and %s is told to the model', async (_, call, message) => {
    const given = setup([{ toolCalls: [call] }, 'Sorry.'])
    expect(await given.run().result).toMatchObject({ status: 'completed', text: 'Sorry.' })
    expect(toldTo(given)[0]).toContain(message)
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('no disk')
      },
      "'add' failed: no disk",
    ],
    ['rejects', async () => Promise.reject(new Error('no disk')), "'add' failed: no disk"],
    ['answers with an error', () => toolError('Use another path.'), 'Use another path.'],
    ['returns what JSON cannot hold', () => 1n, "'add' failed: "],
  ])('because its handler %s is told to the model', async (_, execute, message) => {
    const given = setup([callAdd, 'Sorry.'], failing(execute))
    expect(await given.run().result).toMatchObject({ status: 'completed', text: 'Sorry.' })
    expect(toldTo(given)[0]).toContain(message)
  })

  it('does not disturb the other calls, and results keep the order of the calls', async () => {
    const given = setup([
      {
        toolCalls: [
          { name: 'nope' },
          { name: 'add', input: { a: 1 } },
          { name: 'add', arguments: 'x' },
          { name: 'add', input: { a: 2 } },
        ],
      },
      'Done.',
    ])
    await given.run().result
    expect(toldTo(given).map(text => text.slice(0, 12))).toEqual(['There is no ', '2', 'The argument', '3'])
  })

  it('aborts and settles at its timeout, even when the handler never does', async () => {
    let signal: AbortSignal | undefined
    const given = setup([callAdd, 'Sorry.'], {
      tools: [
        defineTool({
          name: 'add',
          description: 'Hangs.',
          input: { type: 'object' },
          timeoutMs: 500,
          execute: (_, context) => {
            signal = context.signal
            return new Promise<never>(() => {})
          },
        }),
      ],
    })
    const run = given.run()
    await given.clock.advance(499)
    expect(signal?.aborted).toBe(false)
    await given.clock.advance(2_000)
    expect(signal?.aborted).toBe(true)
    expect(await run.result).toMatchObject({ status: 'completed' })
    expect(toldTo(given)).toEqual(["'add' was stopped after 500 ms without a result."])
  })

  it('never reaches a tool that is not permitted', async () => {
    const execute = vi.fn(() => 'ran')
    const given = setup([callAdd, 'Sorry.'], {
      tools: [
        defineTool({ name: 'add', description: 'Adds.', input: { type: 'object' }, permission: 'deny', execute }),
      ],
    })
    await given.run().result
    expect(execute).not.toHaveBeenCalled()
    expect(toldTo(given)[0]).toContain('not permitted')
  })

  it('refuses a result that does not fit the output schema', async () => {
    const given = setup([callAdd, 'Sorry.'], {
      tools: [
        defineTool({
          name: 'add',
          description: 'Adds.',
          input: { type: 'object' },
          output: { type: 'object', required: ['sum'] },
          execute: () => ({ total: 3 }),
        }),
      ],
    })
    await given.run().result
    expect(toldTo(given)[0]).toContain('does not fit its output schema: /sum is missing')
  })
})

describe('tool execution', () => {
  function tracked(concurrency?: number) {
    let running = 0
    let most = 0
    const tool = defineTool({
      name: 'add',
      description: 'Adds.',
      input: { type: 'object' },
      ...(concurrency === undefined ? {} : { concurrency }),
      async execute() {
        most = Math.max(most, ++running)
        await new Promise(resolve => setTimeout(resolve, 2))
        running--
        return toolOk('ok')
      },
    })
    return { tool, most: () => most }
  }
  const twenty = { toolCalls: Array.from({ length: 20 }, () => ({ name: 'add' })) }

  it.each([
    ['parallel', 20],
    ['sequential', 1],
    [{ batch: 3 }, 3],
  ] as const)('%j keeps its bound', async (toolExecution, bound) => {
    const { tool, most } = tracked()
    const given = setup([twenty, 'Done.'], { tools: [tool], toolExecution })
    await given.run().result
    expect(most()).toBe(bound)
    expect(toldTo(given)).toHaveLength(20)
  })

  it('keeps a result on disk as soon as it is there, while others still run', async () => {
    const gate = Promise.withResolvers<string>()
    const slow = defineTool({
      name: 'slow',
      description: 'Slow.',
      input: { type: 'object' },
      execute: () => gate.promise,
    })
    const store = createMemoryStore()
    const model = scriptedModel([{ toolCalls: [{ name: 'slow' }, { name: 'add', input: { a: 1 } }] }, 'Done.'])
    const run = createRuntime({ agents: [defineAgent({ name: 'a', model, tools: [slow, add] })], store }).run('a', 'go')
    for await (const event of run) if (event.type === 'tool.ended') break
    const ended = (await store.read(run.runId)).flatMap(entry => (entry.type === 'tool.ended' ? [entry.name] : []))
    expect(ended).toEqual(['add'])
    gate.resolve('at last')
    expect((await run.result).status).toBe('completed')
  })

  it("holds a tool's own concurrency over several runs", async () => {
    const { tool, most } = tracked(2)
    const { run } = setup(request => (request.messages.length === 1 ? twenty : 'Done.'), { tools: [tool] })
    await Promise.all([run().result, run().result])
    expect(most()).toBe(2)
  })

  it('shows progress while a tool runs', async () => {
    const tool = defineTool({
      name: 'add',
      description: 'Adds.',
      input: { type: 'object' },
      execute: (_, { progress }) => {
        progress('half')
        return 'done'
      },
    })
    const { run } = setup([callAdd, 'Done.'], { tools: [tool] })
    expect(await eventsOf(run())).toContainEqual(expect.objectContaining({ type: 'tool.progress', update: 'half' }))
  })

  it('asks a source for its tools, and again after it changed', async () => {
    let changed = (): void => {}
    let names = ['one']
    const source: ToolSource = {
      name: 's',
      tools: async () => names.map(name => ({ ...add, name })),
      onChange: listener => {
        changed = listener
        return () => {}
      },
      [Symbol.asyncDispose]: async () => {},
    }
    const { model, run } = setup(['x', 'x', 'x'], { tools: [source] })
    await run().result
    names = ['two']
    await run().result
    changed()
    await run().result
    expect(model.requests.map(request => request.tools.map(tool => tool.name))).toEqual([['one'], ['one'], ['two']])
  })

  it('fails the run, not the process, when a source cannot answer, and asks again next time', async () => {
    let broken = true
    const source: ToolSource = {
      name: 's',
      tools: async () => {
        if (broken) throw new Error('server is down')
        return [add]
      },
      [Symbol.asyncDispose]: async () => {},
    }
    const { run } = setup(['x'], { tools: [source] })
    expect(await run().result).toMatchObject({
      status: 'failed',
      error: { code: 'internal', detail: 'server is down' },
    })
    broken = false
    expect(await run().result).toMatchObject({ status: 'completed' })
  })
})

describe('stopping', () => {
  it('ends a hanging model call at once, with the reason, and no partial message', async () => {
    const { run } = setup([{ text: 'part of', hang: true }])
    const stopped = run()
    for await (const event of stopped) {
      if (event.type === 'text.delta') void stopped.cancel({ kind: 'user', detail: 'enough' })
    }
    const result = await stopped.result
    expect(result).toMatchObject({ status: 'cancelled', reason: { kind: 'user', detail: 'enough' }, text: '' })
    expect(result.messages).toHaveLength(1)
  })

  it('leaves behind a model that ignores its signal', async () => {
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

  it('gives every open call a result and keeps the transcript valid', async () => {
    const execute = (_: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
    const given = setup([{ toolCalls: [{ name: 'add' }, { name: 'add' }] }], {
      toolExecution: 'sequential',
      tools: [defineTool({ name: 'add', description: 'Hangs.', input: { type: 'object' }, execute })],
    })
    const run = given.run()
    for await (const event of run) if (event.type === 'tool.started') void run.cancel()
    const { messages, status } = await run.result
    expect(status).toBe('cancelled')
    expect(isValidTranscript(messages)).toBe(true)
    expect(messages.slice(-2).map(message => message.role === 'tool' && message.content)).toEqual([
      [{ type: 'text', text: "'add' was cancelled while it ran; it may have taken partial effect." }],
      [{ type: 'text', text: "'add' was cancelled before it ran." }],
    ])
  })

  it('makes no model call when the signal is aborted from the start', async () => {
    const { model, runtime } = setup(['x'])
    const result = await runtime.run('a', 'go', { signal: AbortSignal.abort() }).result
    expect(result).toMatchObject({ status: 'cancelled', reason: { kind: 'user' } })
    expect(model.requests).toHaveLength(0)
  })

  it('keeps the first of several causes', async () => {
    const { run } = setup([{ hang: true }])
    const stopped = run()
    await Promise.all([stopped.cancel({ kind: 'guard' }), stopped.cancel({ kind: 'user' })])
    expect(await stopped.result).toMatchObject({ status: 'cancelled', reason: { kind: 'guard' } })
  })

  it('stops in the middle of a turn when the time is up', async () => {
    const { clock, run } = setup([{ hang: true }], { limits: { maxDurationMs: 5_000 } })
    const late = run()
    await clock.advance(5_000)
    expect(await late.result).toMatchObject({
      status: 'limit',
      hit: { limit: 'duration', max: 5_000 },
      messages: [{}, { role: 'user', content: [{ text: '[Agent stopped: Max duration reached (5s/5s)]' }] }],
    })
  })

  it('stays stopped over a crash: open calls get results, and no handler runs', async () => {
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

  it('lets nothing wait on the clock once a run has ended', async () => {
    const { clock, run } = setup([callAdd, 'x'])
    await run().result
    expect(clock.pending).toBe(0)
  })

  it('close lets runs end, then cancels what is left', async () => {
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
  it('joins after the results of the running calls; calls that have not started are skipped', async () => {
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

  it('a follow-up starts another turn when the run would end, and is answered', async () => {
    const { model, run } = setup(['First.', 'Second.'])
    const running = run()
    for await (const event of running)
      if (event.type === 'model.started' && event.turn === 1) await running.followUp('and?')
    expect(await running.result).toMatchObject({ status: 'completed', text: 'Second.', turns: 2 })
    expect(model.requests).toHaveLength(2)
  })

  it('is refused after the end', async () => {
    const { run } = setup(['x'])
    const ended = run()
    await ended.result
    await expect(ended.steer('more')).rejects.toThrow('has already ended')
  })
})

describe('a model that fails', () => {
  it('ends the run as failed, with the cause as data', async () => {
    const error = { code: 'model-auth', provider: 'p', detail: 'bad key' } as const
    const { run } = setup([{ text: 'partial', error }])
    expect(await run().result).toMatchObject({ status: 'failed', error, text: '' })
  })

  it('by ending its stream without a finish is no success', async () => {
    const { run } = setup([{ text: 'short', finish: 'none' }])
    expect(await run().result).toMatchObject({ status: 'failed', error: { code: 'model-stream' } })
  })

  it('by throwing something unforeseen ends the run as failed', async () => {
    const model = {
      provider: 'p',
      id: 'm',
      info: {},
      stream: () => {
        throw new TypeError('oops')
      },
    }
    const run = createRuntime().run(defineAgent({ name: 'x', model }), 'go')
    expect(await run.result).toMatchObject({ status: 'failed', error: { code: 'model-stream', detail: 'oops' } })
  })
})

describe('middleware', () => {
  it('wraps model and tool calls, first one outermost', async () => {
    const order: string[] = []
    const trace = (name: string) =>
      defineMiddleware(name, () => ({
        async *model(call, next) {
          order.push(`${name}>`)
          yield* next(call)
          order.push(`<${name}`)
        },
        async tool(call, next) {
          order.push(`${name}(`)
          const outcome = await next(call)
          order.push(`)${name}`)
          return outcome
        },
      }))
    const { run } = setup([callAdd, 'x'], { middleware: [trace('A'), trace('B')] })
    await run().result
    expect(order.join(' ')).toBe('A> B> <B <A A( B( )B )A A> B> <B <A')
  })

  it('changes what the next stage, the validator and the handler receive', async () => {
    const rewrite = defineMiddleware('rewrite', () => ({
      tool: (call, next) => next({ ...call, input: { a: 40, b: 2 } }),
    }))
    const given = setup([callAdd, 'x'], { middleware: [rewrite] })
    await given.run().result
    expect(toldTo(given)).toEqual(['42'])
    const spoil = defineMiddleware('spoil', () => ({ tool: (call, next) => next({ ...call, input: { a: 'no' } }) }))
    const refused = setup([callAdd, 'x'], { middleware: [spoil] })
    await refused.run().result
    expect(toldTo(refused)[0]).toContain('do not fit its schema')
  })

  it('is begun once per run, so that its state is the run’s own', async () => {
    const seen: number[] = []
    const counter = defineMiddleware('count', () => {
      let calls = 0
      return { model: (call, next) => (seen.push(++calls), next(call)) }
    })
    const { run } = setup(() => 'x', { middleware: [counter] })
    await run().result
    await run().result
    expect(seen).toEqual([1, 1])
  })

  it('that throws while it watches is reported and changes nothing', async () => {
    const bad = defineMiddleware('bad', () => ({
      event: event => {
        if (event.type === 'model.called') throw new Error('watch out')
      },
    }))
    const { run } = setup(['x'], { middleware: [bad] })
    const running = run()
    const events = await eventsOf(running)
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'middleware.failed', middleware: 'bad', detail: 'watch out' }),
    )
    expect(await running.result).toMatchObject({ status: 'completed' })
  })
})

describe('definitions that make no sense', () => {
  const model = scriptedModel([])
  it.each([
    ['limits.maxTurns', { limits: { maxTurns: 0 } }],
    ['limits.maxTurn', { limits: { maxTurn: 3 } }],
    ['onLimit', { onLimit: 'explode' }],
    ['toolExecution.batch', { toolExecution: { batch: 0 } }],
    ['limits.maxCost', { limits: { maxCost: 1 } }],
    ['toolTimeoutMs', { toolTimeoutMs: -1 }],
    ['tols', { tols: [] }],
    ['model', { model: {} }],
  ])('are refused with the path of %s', (path, fields) => {
    expect(() => defineAgent({ name: 'a', model, ...fields } as Agent)).toThrow(`agents.a.${path}: `)
  })

  it('a tool schema that is no schema is refused before anything runs', () => {
    const tool = { name: 't', description: 'd', input: { type: 'objekt' }, execute: () => 1 }
    expect(() => createRuntime({ agents: [{ name: 'a', model, tools: [tool] }] })).toThrow(
      'The input schema of \'t\' is no valid schema: /type: "objekt" is no JSON Schema type',
    )
  })

  it('two agents or tools of one name are refused', () => {
    const agent = { name: 'a', model }
    expect(() => createRuntime({ agents: [agent, agent] })).toThrow("two agents are named 'a'")
    expect(() => createRuntime({ agents: [{ ...agent, tools: [add, add] }] })).toThrow("two tools are named 'add'")
  })

  it('an unknown agent is refused with the known ones', () => {
    expect(() => createRuntime({ agents: [{ name: 'a', model }] }).run(createId(1), 'go')).toThrow('Known agents: a.')
  })
})
