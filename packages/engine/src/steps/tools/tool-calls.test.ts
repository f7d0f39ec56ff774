import { defineTool, toolError, toolOk, type Tool, type ToolSource } from '@parley/core'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { createMemoryStore } from '@parley/memory-store'
import { createRuntime, defineAgent, type Agent } from '../../index.ts'
import { add, callAdd, eventsOf, setup, toldTo } from '../../runtime/__fixtures__/set-up-agent.ts'

describe('a tool call that goes wrong', () => {
  const failing = (execute: Tool['execute']): Partial<Agent> => ({
    tools: [defineTool({ name: 'add', description: 'Adds.', input: { type: 'object' }, execute })],
  })

  it.each([
    ['is for a tool that does not exist', { name: 'sub' }, "There is no tool named 'sub'. Available tools: add."],
    ['has invalid JSON as arguments', { name: 'add', arguments: '{"a":' }, "The arguments of 'add' are not valid JSON"],
    [
      'does not fit the schema',
      { name: 'add', input: { a: 'x' } },
      "The arguments of 'add' do not fit its schema: /a ",
    ],
  ])('a call that %s returns an error to the model', async (_, call, message) => {
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
    ['returns a value that JSON cannot hold', () => 1n, "'add' failed: "],
  ])('a call whose handler %s returns an error to the model', async (_, execute, message) => {
    const given = setup([callAdd, 'Sorry.'], failing(execute))
    expect(await given.run().result).toMatchObject({ status: 'completed', text: 'Sorry.' })
    expect(toldTo(given)[0]).toContain(message)
  })

  it('a failed call does not affect the others, and results keep the call order', async () => {
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

  it('a call is aborted at its timeout even if the handler never settles', async () => {
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

  it('a denied call does not reach its handler', async () => {
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

  it('a result that fits the output schema is recorded as data, as it is in JSON', async () => {
    const add = defineTool({
      name: 'add',
      description: 'Adds.',
      input: { type: 'object' },
      output: z.object({ sum: z.number(), at: z.date() }),
      execute: () => ({ sum: 3, at: new Date(0) }),
    })
    const plain = defineTool({ ...add, name: 'plain', output: undefined })
    const model = scriptedModel([{ toolCalls: [{ name: 'add' }, { name: 'plain' }] }, 'Done.'])
    const { messages } = await createRuntime().invoke(defineAgent({ name: 'a', model, tools: [add, plain] }), 'go')
    const results = messages.filter(message => message.role === 'tool')
    const at = '1970-01-01T00:00:00.000Z'
    const text = JSON.stringify({ sum: 3, at })
    expect(results).toMatchObject([{ structured: { sum: 3, at }, content: [{ text }] }, { content: [{ text }] }])
    expect(results[1]).not.toHaveProperty('structured')
  })

  it('a result that does not fit the output schema returns an error', async () => {
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
        // Calls that run at the same time all begin within these turns of the event loop.
        for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve))
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
  ] as const)('toolExecution %j runs at most %i calls at the same time', async (toolExecution, bound) => {
    const { tool, most } = tracked()
    const given = setup([twenty, 'Done.'], { tools: [tool], toolExecution })
    await given.run().result
    expect(most()).toBe(bound)
    expect(toldTo(given)).toHaveLength(20)
  })

  it('a result is stored while other calls still run', async () => {
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

  it('the concurrency of a tool applies over several runs', async () => {
    const { tool, most } = tracked(2)
    const { run } = setup(request => (request.messages.length === 1 ? twenty : 'Done.'), { tools: [tool] })
    await Promise.all([run().result, run().result])
    expect(most()).toBe(2)
  })

  it('tool.progress events show the progress of a running tool', async () => {
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

  it('a tool source is asked for its tools again after it changed', async () => {
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

  it('a tool source that fails ends the run as failed and is asked again by the next run', async () => {
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
