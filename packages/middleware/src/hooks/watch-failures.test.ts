import { defineTool, ParleyError, type ErrorInfo, type RunEvent, type Store } from '@parley/core'
import { agentTool, createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { callEcho, setup, type SetupOptions } from '../__fixtures__/set-up-agent.ts'
import { hooks, type Hooks, type RunFailure } from './index.ts'
import { watchFailures } from './watch-failures.ts'

const down: ErrorInfo = { code: 'model-server', provider: 'p', detail: 'down' }
const thrower = (): never => {
  throw new Error('broken')
}
const boom = defineTool({ name: 'boom', description: 'Throws.', input: z.object({}), execute: thrower })
const callBoom = { toolCalls: [{ name: 'boom' }] }

/** Returns the failures that `onFailure` sees, as phase and code. */
function watching(more: Hooks = {}) {
  const failures: RunFailure[] = []
  const middleware = hooks({ ...more, onFailure: failure => void failures.push(failure) })
  return { failures, middleware, seen: () => failures.map(({ phase, error }) => `${phase} ${error.code}`) }
}

async function failuresOf(script: Parameters<typeof setup>[0], more: Hooks = {}, options: SetupOptions = {}) {
  const watch = watching(more)
  await setup(script, [watch.middleware], { tools: [boom], ...options }).run().result
  return watch.seen()
}

describe('onFailure', () => {
  it('onFailure sees each failure of a run once, with its phase and error', async () => {
    const { failures, middleware, seen } = watching()
    const { run } = setup([callBoom, callBoom, { text: 'Half an', error: down }], [middleware], { tools: [boom] })
    expect(await run().result).toMatchObject({ status: 'failed' })
    expect(seen()).toEqual(['tool tool-failed', 'tool tool-failed', 'model model-server'])
    expect(failures[0]).toMatchObject({ callId: 'call_1', error: { tool: 'boom', detail: 'broken' } })
  })

  it('onFailure sees a model call that fails after text was shown, and one that fails before', async () => {
    expect(await failuresOf([{ text: 'Half an', error: down }])).toEqual(['model model-server'])
    expect(await failuresOf([{ events: [], error: down }])).toEqual(['model model-server'])
    expect(await failuresOf([{ text: 'Half an', finish: 'none' }])).toEqual(['model model-stream'])
  })

  it('onFailure sees the same error object again if a second call fails with it', async () => {
    const error = new ParleyError({ code: 'tool-failed', tool: 'boom', detail: 'always this one' })
    const same = defineTool({
      name: 'boom',
      description: 'Throws.',
      input: z.object({}),
      execute: () => Promise.reject(error),
    })
    expect(await failuresOf([callBoom, callBoom, 'x'], {}, { tools: [same] })).toEqual([
      'tool tool-failed',
      'tool tool-failed',
    ])
  })

  it('onFailure sees no failure of a call that onError repeated, and none of a cancelled run', async () => {
    expect(await failuresOf([{ events: [], error: down }, 'x'], { onError: () => 'retry' })).toEqual([])
    const { middleware, seen } = watching()
    const running = setup([{ text: 'a', hang: true }], [middleware]).run()
    for await (const event of running) if (event.type === 'text.delta') void running.cancel()
    expect(await running.result).toMatchObject({ status: 'cancelled' })
    expect(seen()).toEqual([])
  })

  it.each([
    ['beforeRun', 'internal'],
    ['beforeTurn', 'internal'],
    ['afterTurn', 'internal'],
    ['getMessages', 'internal'],
    ['beforeModel', 'model-stream'],
    ['afterModel', 'model-stream'],
    ['beforeTool', 'tool-failed'],
    ['afterTool', 'tool-failed'],
    ['onProgress', 'internal'],
    ['afterRun', 'internal'],
  ] as const)('onFailure sees the hook %s that throws as phase hook with %s', async (name, code) => {
    const slow = defineTool({
      name: 'boom',
      description: 'Reports progress.',
      input: z.object({}),
      execute: (_, { progress }) => (progress(1), 'ok'),
    })
    expect(await failuresOf([callBoom, 'x'], { [name]: thrower }, { tools: [slow] })).toEqual([`hook ${code}`])
  })

  it('onFailure sees turn hooks and event listeners of other middleware', async () => {
    const { middleware, seen } = watching()
    const other = { name: 'other', begin: () => ({ beforeTurn: thrower, event: () => thrower() }) }
    await setup(['x'], [middleware, other]).run().result
    expect(seen()).toContain('hook internal')
    expect(new Set(seen())).toEqual(new Set(['hook internal']))
  })

  it('onFailure sees a child run that fails once, and one that reaches a limit', async () => {
    for (const [limits, expected] of [
      [{}, 'child-run model-server'],
      [{ maxTurns: 1 }, 'child-run run-failed'],
    ] as const) {
      const { failures, middleware, seen } = watching()
      const script = 'maxTurns' in limits ? [callEcho('a')] : [{ text: 'Half', error: down }]
      const child = defineAgent({ name: 'child', model: scriptedModel(script), limits })
      const lead = scriptedModel([{ toolCalls: [{ name: 'child', input: { task: 'go' } }] }, 'Done.'])
      const agent = defineAgent({ name: 'lead', model: lead, tools: [agentTool(child)], middleware: [middleware] })
      await createRuntime().run(agent, 'go').result
      expect(seen()).toEqual([expected])
      expect(failures[0]).toMatchObject({ callId: expect.any(String), childRunId: expect.any(String) })
    }
  })

  it('onFailure sees a store that fails', async () => {
    const { middleware, seen } = watching()
    const kept = createMemoryStore()
    const unavailable = { code: 'store-unavailable', store: 'memory', detail: 'gone' } as const
    let appends = 0
    const store: Store = {
      ...kept,
      append: async append => {
        if (++appends > 1) throw new ParleyError(unavailable)
        await kept.append(append)
      },
    }
    const agent = defineAgent({ name: 'a', model: scriptedModel(['x']), middleware: [middleware] })
    expect(await createRuntime({ store }).run(agent, 'go').result).toMatchObject({ status: 'interrupted' })
    expect(seen()).toEqual(['store store-unavailable'])
  })

  it('onFailure sees an input filter, a context policy and a tool source that fail', async () => {
    const filter = { name: 'broken', check: thrower }
    expect(await failuresOf(['x'], {}, { inputFilters: [filter] })).toEqual(['input internal'])
    const context = { name: 'broken', due: () => true, compact: thrower }
    expect(await failuresOf(['x'], {}, { context })).toContain('context internal')
    const source = { name: 'docs', tools: async () => thrower(), [Symbol.asyncDispose]: async () => {} }
    expect(await failuresOf(['x'], {}, { tools: [source] })).toEqual(['tool-source internal'])
  })

  it('onFailure sees a limit that fails the run, and an output that does not fit the schema', async () => {
    expect(await failuresOf([callEcho('a')], {}, { tools: [], limits: { maxTurns: 1 }, onLimit: 'fail' })).toContain(
      'run limit-reached',
    )
    const output = z.object({ n: z.number() })
    const outputOptions = { strategy: 'prompt', repairs: 0 } as const
    expect(await failuresOf(['no'], {}, { tools: [], output, outputOptions })).toEqual(['run output-invalid'])
  })

  it('onFailure sees a failure once if the entries that end the run pass it on', () => {
    const seen: string[] = []
    const watch = watchFailures({ model: false, calls: new Set() }, ({ phase, error }) => {
      seen.push(`${phase} ${error.code}`)
    })
    const error: ErrorInfo = { code: 'limit-reached', limit: 'resumes without progress', max: 5, value: 6 }
    const outcome = { status: 'failed', error }
    for (const type of ['model.failed', 'run.failed', 'run.ended'])
      watch({ type, error, outcome } as unknown as RunEvent)
    expect(seen).toEqual(['model limit-reached'])
  })

  it('onFailure that throws is reported to readers and changes nothing', async () => {
    const { run } = setup([callBoom, 'x'], [hooks({ onFailure: thrower })], { tools: [boom] })
    const running = run()
    const types: string[] = []
    for await (const { type } of running) types.push(type)
    expect(types).toContain('middleware.failed')
    expect(await running.result).toMatchObject({ status: 'completed' })
  })
})
