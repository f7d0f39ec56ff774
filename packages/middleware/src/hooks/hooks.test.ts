import { defineTool, toolOk, type RunEvent } from '@parley/core'
import { createRuntime, defineAgent, type Run } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { slidingWindow } from '@parley/context-policies'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { callEcho, eventsOf, setup, toldIn } from '../__fixtures__/set-up-agent.ts'
import { gateCompaction, gateProgress, hooks, type Hooks } from './index.ts'

const working = defineTool({
  name: 'work',
  description: 'Works.',
  input: z.object({}),
  execute: (_, { progress }) => {
    progress('half')
    return 'done'
  },
})
const down = { events: [], error: { code: 'model-server', provider: 'p', detail: 'down' } } as const
const callWork = { toolCalls: [{ name: 'work' }] }

describe('hooks', () => {
  it('hooks run in the documented order', async () => {
    const order: string[] = []
    const note = (name: string) => () => void order.push(name)
    const all: Hooks = {
      beforeSession: note('beforeSession'),
      beforeRun: note('beforeRun'),
      beforeTurn: (_, { turn }) => void order.push(`beforeTurn ${turn}`),
      transformContext: note('transformContext'),
      convertMessages: note('convertMessages'),
      beforeModel: note('beforeModel'),
      afterModel: note('afterModel'),
      beforeTool: note('beforeTool'),
      onProgress: ({ update }) => void order.push(`onProgress ${JSON.stringify(update)}`),
      afterTool: note('afterTool'),
      afterTurn: (_, { turn, usage }) => void order.push(`afterTurn ${turn} ${usage.input}`),
      getMessages: () => (order.push('getMessages'), []),
      deliver: note('deliver'),
      afterRun: (_, { outcome }) => void order.push(`afterRun ${outcome.status}`),
      afterSession: note('afterSession'),
      onError: note('onError'),
      onCompacting: note('onCompacting'),
      afterCompaction: note('afterCompaction'),
    }
    const { run } = setup([callWork, 'x'], [hooks(all)], { tools: [working] })
    await run().result
    expect(order).toEqual([
      'beforeSession',
      'beforeRun',
      'beforeTurn 1',
      'transformContext',
      'convertMessages',
      'beforeModel',
      'afterModel',
      'beforeTool',
      'onProgress "half"',
      'afterTool',
      'afterTurn 1 10',
      'getMessages',
      'beforeTurn 2',
      'transformContext',
      'convertMessages',
      'beforeModel',
      'afterModel',
      'afterTurn 2 10',
      'getMessages',
      'afterRun completed',
      'afterSession',
    ])
  })

  it('hooks run in the documented order around compaction and around a model call that fails once', async () => {
    const order: string[] = []
    const note = (name: string) => () => void order.push(name)
    const watching = hooks({
      beforeTurn: (_, { turn }) => void order.push(`beforeTurn ${turn}`),
      onCompacting: note('onCompacting'),
      afterCompaction: note('afterCompaction'),
      transformContext: note('transformContext'),
      onError: (_, attempt) => (order.push(`onError ${attempt}`), 'retry'),
      afterModel: note('afterModel'),
      afterTurn: (_, { turn }) => void order.push(`afterTurn ${turn}`),
    })
    const { run } = setup([callEcho('a'), callEcho('b'), down, 'x'], [watching], {
      context: slidingWindow({ maxMessages: 3 }),
    })
    await run().result
    expect(order).toEqual(
      [
        ['beforeTurn 1', 'transformContext', 'afterModel', 'afterTurn 1'],
        ['beforeTurn 2', 'transformContext', 'afterModel', 'afterTurn 2'],
        ['onCompacting', 'afterCompaction'],
        ['beforeTurn 3', 'transformContext', 'onError 1', 'afterModel', 'afterTurn 3'],
      ].flat(),
    )
  })

  it('afterModel does not run for a failed model call, and afterTool does not run for a refused tool call', async () => {
    const order: string[] = []
    const five = hooks({
      beforeModel: () => void order.push('beforeModel'),
      afterModel: ({ finish }) => void order.push(`afterModel ${finish}`),
      onError: ({ code }) => void order.push(`onError ${code}`),
      beforeTool: ({ input }) => (order.push('beforeTool'), JSON.stringify(input).includes('no') ? false : undefined),
      afterTool: (_, { type }) => void order.push(`afterTool ${type}`),
    })
    const { run } = setup([callEcho('a'), callEcho('no'), down], [five])
    await run().result
    expect(order).toEqual(
      [
        ['beforeModel', 'afterModel tool-calls', 'beforeTool', 'afterTool ok'],
        ['beforeModel', 'afterModel tool-calls', 'beforeTool'],
        ['beforeModel', 'onError model-server'],
      ].flat(),
    )
  })

  it('hooks of two middlewares nest: the first one’s before-hooks run first and its after-hooks last', async () => {
    const order: string[] = []
    const named = (name: string) =>
      hooks({
        beforeTool: () => void order.push(`${name} before`),
        afterTool: () => void order.push(`${name} after`),
        beforeModel: () => void order.push(`${name} ask`),
        afterModel: () => void order.push(`${name} answer`),
      })
    await setup([callEcho('a'), 'x'], [named('A'), named('B')]).run().result
    expect(order.slice(0, 8)).toEqual([
      'A ask',
      'B ask',
      'B answer',
      'A answer',
      'A before',
      'B before',
      'B after',
      'A after',
    ])
  })

  it.each(['beforeSession', 'beforeRun', 'beforeTurn'] as const)(
    '%s ends the run before the model is called if it returns false',
    async name => {
      const { run, model } = setup(['x'], [hooks({ [name]: () => false })])
      expect(await run().result).toMatchObject({ status: 'cancelled', reason: { kind: 'guard' } })
      expect(model.requests).toEqual([])
    },
  )

  it('beforeSession runs only in a session’s first run', async () => {
    let asked = 0
    const runtime = createRuntime({ store: createMemoryStore() })
    const agent = defineAgent({
      name: 'a',
      model: scriptedModel(() => 'x'),
      middleware: [hooks({ beforeSession: () => void asked++ })],
    })
    const { sessionId } = await runtime.run(agent, 'go').result
    await runtime.run(agent, 'continue', { sessionId }).result
    expect(asked).toBe(1)
    await runtime.run(agent, 'go').result
    expect(asked).toBe(2)
  })

  it('getMessages and deliver insert messages into the run between turns', async () => {
    const runs = new Map<string, Run>()
    const waiting = ['And in Rome?']
    const { run, model } = setup(
      ['Sunny.', 'Rainy.'],
      [
        hooks({
          getMessages: () => waiting.splice(0),
          deliver: (runId, message) => runs.get(runId)?.steer(message),
        }),
      ],
    )
    const running = run('How is it in Oslo?')
    runs.set(running.runId, running)
    expect(await running.result).toMatchObject({ text: 'Rainy.', turns: 2 })
    expect(model.requests[1]?.messages).toHaveLength(3)
  })

  it('transformContext, convertMessages and beforeModel each change the request that the hook before left', async () => {
    const { run, model } = setup(
      ['x'],
      [
        hooks({
          transformContext: messages => [...messages, ...messages],
          convertMessages: messages => [...messages, ...messages],
          beforeModel: request => ({ ...request, settings: { temperature: request.messages.length } }),
        }),
      ],
    )
    await run().result
    expect(model.requests[0]).toMatchObject({ settings: { temperature: 4 } })
    expect(model.requests[0]?.messages).toHaveLength(4)
  })

  it('afterModel changes an answer before any reader sees it', async () => {
    const { run } = setup(
      [{ text: 'raw', toolCalls: [{ name: 'echo', input: { text: 'a' } }] }, 'x'],
      [
        hooks({
          afterModel: answer =>
            answer.text === 'raw' ? { ...answer, text: 'fine', toolCalls: [], finish: 'stop' } : undefined,
        }),
      ],
    )
    const running = run()
    const events = await eventsOf(running)
    expect(await running.result).toMatchObject({ text: 'fine', turns: 1, usage: { input: 10 } })
    expect(JSON.stringify(events)).not.toContain('raw')
  })

  it.each([
    [false, "'echo' was not run: a hook refused it."],
    [{ block: 'not today' }, "'echo' was not run: not today"],
    [{ input: { text: 'b' } }, 'b'],
    [true, 'a'],
  ])('beforeTool with the decision %j makes the model read %j', async (decision, told) => {
    const { run, model } = setup([callEcho('a'), 'x'], [hooks({ beforeTool: () => decision })])
    await run().result
    expect(toldIn(model.requests[1])).toEqual([told])
  })

  it('afterTool changes the outcome of a call', async () => {
    const { run, model } = setup([callEcho('a'), 'x'], [hooks({ afterTool: () => toolOk('other') })])
    await run().result
    expect(toldIn(model.requests[1])).toEqual(['other'])
  })

  it('onError repeats a failed model call, or answers instead', async () => {
    const attempts: number[] = []
    const again = setup([down, down, 'back'], [hooks({ onError: (_, attempt) => (attempts.push(attempt), 'retry') })])
    expect(await again.run().result).toMatchObject({ text: 'back', turns: 1 })
    expect(attempts).toEqual([1, 2])
    const instead = setup([down], [hooks({ onError: error => ({ text: `Sorry: ${error.code}` }) })])
    expect(await instead.run().result).toMatchObject({ status: 'completed', text: 'Sorry: model-server' })
    const neither = setup([down], [hooks({ onError: () => undefined })])
    expect(await neither.run().result).toMatchObject({ status: 'failed' })
  })

  it('onError is not called for a model call that already produced output', async () => {
    let asked = 0
    const { run } = setup([{ text: 'Half an', error: down.error }, 'x'], [hooks({ onError: () => (asked++, 'retry') })])
    expect(await run().result).toMatchObject({ status: 'failed' })
    expect(asked).toBe(0)
  })

  it('onCompacting and afterCompaction are called for a compaction', async () => {
    const seen: unknown[] = []
    const { run } = setup(
      [callEcho('a'), callEcho('b'), 'x'],
      [hooks({ onCompacting: count => seen.push(count), afterCompaction: (...sizes) => seen.push(sizes) })],
      { context: slidingWindow({ maxMessages: 3 }) },
    )
    await run().result
    expect(seen.length).toBeGreaterThanOrEqual(2)
    expect(seen[0]).toBeTypeOf('number')
    expect(seen[1]).toEqual([5, 3, expect.any(Number), expect.any(Number)])
  })

  it('hooks rejects an unknown name, and deliver without getMessages', () => {
    expect(() => hooks({ beforeTurns: () => {} } as Hooks)).toThrow(
      "hooks.beforeTurns: is an unknown option; did you mean 'beforeTurn'?",
    )
    expect(() => hooks({ deliver: () => {} })).toThrow('hooks.deliver: requires getMessages')
  })
})

it('gateProgress hides progress of a tool and keeps its result', async () => {
  const quiet = gateProgress(working, ({ update }) => update !== 'half')
  const { run, model } = setup([callWork, 'x'], [], { tools: [quiet] })
  const events: RunEvent[] = await eventsOf(run())
  expect(events.some(event => event.type === 'tool.progress')).toBe(false)
  expect(toldIn(model.requests[1])).toEqual(['done'])
})

it('gateCompaction prevents compaction if the gate returns false', async () => {
  for (const allowed of [true, false]) {
    const context = gateCompaction(slidingWindow({ maxMessages: 2 }), () => allowed)
    const { run } = setup([callEcho('a'), callEcho('b'), 'x'], [], { context })
    const events = await eventsOf(run())
    expect(events.some(event => event.type === 'context.compacted')).toBe(allowed)
  }
})
