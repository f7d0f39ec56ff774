import { defineMiddleware } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { createRuntime, defineAgent } from '../index.ts'
import { callAdd, eventsOf, setup, toldTo } from './__fixtures__/set-up-agent.ts'

describe('a run', () => {
  it('a run returns text, usage and a transcript', async () => {
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

  it('a run shows text before the model call ends', async () => {
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

  it('a run calls tools with validated input and sends their results to the model', async () => {
    const given = setup([{ toolCalls: [{ name: 'add', input: { a: 4 } }] }, 'Five.'])
    expect(await given.run().result).toMatchObject({ status: 'completed', text: 'Five.', turns: 2 })
    expect(toldTo(given)).toEqual(['5'])
  })

  it('a run shows every entry in order without gaps, and run.ended last', async () => {
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

  it('a run shows reasoning, partial calls and retries of its model', async () => {
    const error = { code: 'model-overloaded', provider: 'p', detail: '' } as const
    const { run } = setup([
      {
        events: [
          { type: 'retry', attempt: 1, delayMs: 500, error },
          { type: 'reasoning.delta', text: 'Hm.' },
          { type: 'tool-call.start', callId: 'c', name: 'add' },
          { type: 'tool-call.delta', callId: 'c', delta: '{"a"' },
          { type: 'tool-call.delta', callId: 'c', delta: ':1}' },
          { type: 'tool-call', callId: 'c', name: 'add', arguments: '{"a":1}' },
          { type: 'finish', reason: 'tool-calls' },
        ],
      },
      'Two.',
    ])
    const turn = expect.objectContaining({ turn: 1 })
    const shown = (await eventsOf(run())).filter(event => !('v' in event) && 'turn' in event && event.turn === 1)
    expect(shown).toEqual(shown.map(() => turn))
    expect(shown).toMatchObject([
      { type: 'model.started', model: 'scripted/script' },
      { type: 'model.retrying', attempt: 1, delayMs: 500, error },
      { type: 'reasoning.delta', text: 'Hm.' },
      { type: 'tool-call.start', callId: 'c', name: 'add' },
      { type: 'tool-call.delta', callId: 'c', delta: '{"a"' },
      { type: 'tool-call.delta', callId: 'c', delta: ':1}' },
    ])
  })

  it('model.retrying names the failed model and its fallback', async () => {
    const error = { code: 'model-overloaded', provider: 'p', detail: '' } as const
    const fallback = { from: 'p/large', to: 'p/small' }
    const { run } = setup([
      {
        events: [
          { type: 'retry', attempt: 1, delayMs: 0, error, fallback },
          { type: 'finish', reason: 'stop' },
        ],
      },
    ])
    expect((await eventsOf(run())).find(({ type }) => type === 'model.retrying')).toMatchObject({ error, fallback })
  })

  it('model.called records the duration and the time to the first event', async () => {
    const gate = Promise.withResolvers<void>()
    const { clock, run } = setup([{ until: gate.promise, text: 'Late.' }])
    const running = run()
    await clock.advance(700)
    gate.resolve()
    const called = (await eventsOf(running)).find(event => event.type === 'model.called')
    expect(called).toMatchObject({ firstTokenMs: 700, durationMs: 700 })
  })

  it('a late reader gets all entries, and several readers get the same', async () => {
    const { run } = setup(['Hi.'])
    const started = run()
    const early = eventsOf(started)
    await started.result
    const late = await eventsOf(started)
    expect((await early).filter(event => 'v' in event)).toEqual(late)
  })

  it('a run continues when its reader leaves', async () => {
    const { run } = setup([callAdd, 'Three.'])
    const left = run()
    for await (const event of left) if (event.type === 'model.started') break
    expect(await left.result).toMatchObject({ status: 'completed', text: 'Three.' })
  })
})

describe('a model that fails', () => {
  it('a model that fails ends the run as failed, with the cause as data', async () => {
    const error = { code: 'model-auth', provider: 'p', detail: 'bad key' } as const
    const { run } = setup([{ text: 'partial', error }])
    expect(await run().result).toMatchObject({ status: 'failed', error, partialText: '' })
  })

  it('a model stream without a finish fails the run', async () => {
    const { run } = setup([{ text: 'short', finish: 'none' }])
    expect(await run().result).toMatchObject({ status: 'failed', error: { code: 'model-stream' } })
  })

  it('a model that throws an unexpected error fails the run', async () => {
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
  it('middleware sees the value of a handler, and the journal has its content', async () => {
    const seen: unknown[] = []
    const watch = defineMiddleware('watch', () => ({
      tool: async (call, next) => {
        const outcome = await next(call)
        seen.push(outcome.type === 'ok' ? outcome.value : outcome.type)
        return outcome
      },
    }))
    const given = setup([callAdd, 'x'], { middleware: [watch] })
    const { messages } = await given.run().result
    expect(seen).toEqual([3])
    expect(messages[2]).toEqual({ role: 'tool', callId: 'call_1', name: 'add', content: [{ type: 'text', text: '3' }] })
  })

  it('middleware wraps model and tool calls, and the first one wraps the others', async () => {
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

  it('middleware can change what the next stage, the validator and the handler receive', async () => {
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

  it('middleware can end a call before it starts', async () => {
    const giveUp = defineMiddleware('give up', () => ({
      tool: (call, next) => next({ ...call, signal: AbortSignal.abort() }),
    }))
    const given = setup([callAdd, 'x'], { middleware: [giveUp] })
    const events = await eventsOf(given.run())
    expect(events.some(({ type }) => type === 'tool.started')).toBe(false)
    expect(toldTo(given)).toEqual(["'add' was cancelled before it ran."])
  })

  it('middleware starts once per run and keeps its state per run', async () => {
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

  it('middleware wraps each turn with its model call and tools', async () => {
    const order: string[] = []
    const trace = (name: string) =>
      defineMiddleware(name, () => ({
        beforeTurn: ({ turn, messages }) => void order.push(`${name}${turn}/${messages.length}(`),
        afterTurn: () => void order.push(`)${name}`),
        event: event => {
          if (name === 'A' && (event.type === 'model.called' || event.type === 'tool.ended')) order.push(event.type)
        },
      }))
    const { run } = setup([callAdd, 'x'], { middleware: [trace('A'), trace('B')] })
    expect(await run().result).toMatchObject({ status: 'completed' })
    expect(order.join(' ')).toBe('A1/1( B1/1( model.called tool.ended )B )A A2/3( B2/3( model.called )B )A')
  })

  it('middleware can end the run before a turn', async () => {
    const guard = defineMiddleware('guard', () => ({
      beforeTurn: async ({ turn }) => turn < 2,
    }))
    const { run } = setup([callAdd, 'x'], { middleware: [guard] })
    expect(await run().result).toMatchObject({
      status: 'cancelled',
      reason: { kind: 'guard', detail: 'a middleware ended the run before turn 2' },
      turns: 1,
    })
  })

  it.each([
    ['beforeTurn', { beforeTurn: () => Promise.reject(new Error('no budget')) }, 'no budget'],
    ['afterTurn', { afterTurn: () => Promise.reject(new Error('no report')) }, 'no report'],
  ])('a middleware whose %s throws fails the run', async (_, stages, detail) => {
    const { run } = setup(['x'], { middleware: [defineMiddleware('m', () => stages)] })
    expect(await run().result).toMatchObject({ status: 'failed', error: { code: 'internal', detail } })
  })

  it('an event listener that throws is reported, and the run continues', async () => {
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
