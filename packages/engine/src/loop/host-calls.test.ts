import { defineMiddleware, defineTool, ParleyError, type Store } from '@parley/core'
import { scriptedModel } from '@parley/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DurableHost } from '../host.ts'
import { createMemoryStore } from '@parley/memory-store'
import { createRuntime, defineAgent, type Agent, type Run } from '../index.ts'
import { recordingHost, type OperationLog } from './__fixtures__/hosts.ts'

const FOUR = ['pay', 'look', 'pay', 'look'].map(name => ({ name }))

/** An agent whose two answers request four calls each. Counts handler runs by idempotency key. */
function setup(agent: Partial<Agent> = {}, work: (name: string) => Promise<void> | void = () => {}) {
  const started = new Map<string, number>()
  const tool = (name: string, effect: 'once' | 'read') =>
    defineTool({
      name,
      description: 'Works.',
      input: { type: 'object' },
      effect,
      execute: async (_, { idempotencyKey: key }) => {
        started.set(key, (started.get(key) ?? 0) + 1)
        await work(name)
        return 'done'
      },
    })
  const model = scriptedModel(({ messages }) =>
    messages.filter(({ role }) => role === 'assistant').length < 2 ? { toolCalls: FOUR } : 'Done.',
  )
  const tools = [tool('pay', 'once'), tool('look', 'read')]
  const runtimeOn = (store: Store) =>
    createRuntime({ agents: [defineAgent({ name: 'a', model, tools, ...agent })], store })
  return { runtimeOn, started }
}

/**
 * Crashes before its `most` + 1st unrecorded operation, after running operations have ended. `asked` receives the name of
 * every operation, recorded or not.
 */
function durableHost(log: OperationLog, most = Infinity, asked: string[] = []): DurableHost {
  let begun = 0
  return recordingHost(log, {
    asked: name => asked.push(name.startsWith('step') ? name : (name.split(' ')[0] ?? '')),
    begin() {
      if (begun === most) throw new ParleyError({ code: 'runtime-closed' })
      begun += 1
    },
  })
}

describe('a run whose host runs the tool calls', () => {
  it('a host that crashes repeatedly replays the same operations in order and repeats no ended call', async () => {
    const undisturbed: string[] = []
    const expected = await setup()
      .runtimeOn(createMemoryStore())
      .run('a', 'go', { host: durableHost(new Map(), Infinity, undisturbed) }).result
    expect(expected.status).toBe('completed')
    const calls = ['pay', 'look', 'pay', 'look']
    expect(undisturbed).toEqual(['step 1', ...calls, 'step 2', ...calls, 'step 3', 'step 4'])
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(2), { maxLength: 5 }), async deaths => {
        const store = createMemoryStore()
        const { runtimeOn, started } = setup()
        const log: OperationLog = new Map()
        let asked: string[] = []
        const attempt = async (most?: number): Promise<Run> => {
          asked = []
          const host = durableHost(log, most, asked)
          const begun = (await store.run('r')) !== undefined
          if (!begun) return runtimeOn(store).run('a', 'go', { runId: 'r', host })
          return runtimeOn(store).resume('r', { host, force: true })
        }
        for (const most of deaths) expect((await (await attempt(most)).result).status).toBe('interrupted')
        const result = await (await attempt()).result
        expect(result).toMatchObject({ status: 'completed', text: 'Done.' })
        expect(result.messages.map(({ role }) => role)).toEqual(expected.messages.map(({ role }) => role))
        expect(asked).toEqual(undisturbed)
        expect([...started.values()]).toEqual(Array.from({ length: 8 }, () => 1))
      }),
    )
  })

  it('a host runs calls one after another or concurrently, as the agent’s toolExecution says', async () => {
    for (const [toolExecution, size] of [
      ['sequential', 1],
      [{ batch: 3 }, 3],
      ['parallel', 4],
    ] as const) {
      let [now, most] = [0, 0]
      const { runtimeOn } = setup({ toolExecution }, async () => {
        now += 1
        most = Math.max(most, now)
        // Calls that run at the same time all begin within these turns of the event loop.
        for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve))
        now -= 1
      })
      await runtimeOn(createMemoryStore()).run('a', 'go', { host: durableHost(new Map()) }).result
      expect(most).toBe(size)
    }
  })

  it('steering between two calls skips the calls that have not started', async () => {
    const spoken = Promise.withResolvers<Run>()
    let runs = 0
    const { runtimeOn } = setup({ toolExecution: 'sequential' }, async () => {
      runs += 1
      if (runs === 2) await (await spoken.promise).steer('stop that')
    })
    const run = runtimeOn(createMemoryStore()).run('a', 'go', { host: durableHost(new Map()) })
    spoken.resolve(run)
    const { messages } = await run.result
    const first = messages.slice(2, 6).map(message => message.role === 'tool' && message.isError === true)
    expect(first).toEqual([false, false, true, true])
    expect(runs).toBe(6)
  })

  it('runCall leaves ended and unknown calls unchanged', async () => {
    const { runtimeOn, started } = setup()
    const again: DurableHost = {
      async drive(steps) {
        await steps.take()
        const [batch = []] = steps.openCalls() ?? []
        for (const { callId } of [...batch.flatMap(call => [call, call]), ...batch]) await steps.call(callId)
        await steps.call('nobody')
        expect(steps.openCalls()).toBeUndefined()
        throw new ParleyError({ code: 'runtime-closed' })
      },
    }
    await runtimeOn(createMemoryStore()).run('a', 'go', { host: again }).result
    expect([...started.values()]).toEqual([1, 1, 1, 1])
  })

  it('calls run within the turn of a middleware, which ends when the run is released', async () => {
    const seen: string[] = []
    const around = defineMiddleware('around', () => ({
      beforeTurn: ({ turn }) => void seen.push(`begin ${turn}`),
      afterTurn: ({ turn }) => void seen.push(`end ${turn}`),
    }))
    const { runtimeOn } = setup({ middleware: [around] }, name => void seen.push(name))
    const store = createMemoryStore()
    const log: OperationLog = new Map()
    expect((await runtimeOn(store).run('a', 'go', { runId: 'r', host: durableHost(log) }).result).status).toBe(
      'completed',
    )
    const tools = ['pay', 'look', 'pay', 'look']
    expect(seen).toEqual(['begin 1', ...tools, 'end 1', 'begin 2', ...tools, 'end 2', 'begin 3', 'end 3'])
    seen.splice(0)
    await runtimeOn(store).run('a', 'go', { runId: 'let go', host: durableHost(new Map(), 1) }).result
    expect(seen).toEqual(['begin 1', 'end 1'])
  })
})
