import { defineTool, ParleyError, toolAsk, type Store } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { createEventBus } from '@parley/event-bus'
import { openSqliteStore } from '@parley/sqlite'
import { scriptedModel } from '@parley/testing'
import { inspect } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'

/** Part of every failure that this file causes. Vitest reports the other ones. */
const MARK = 'the unreliable server restarts.'
const unhandled: unknown[] = []
const note = (error: unknown): void => {
  if (inspect(error).includes(MARK)) unhandled.push(error)
}

beforeEach(() => {
  unhandled.length = 0
  // Steady: only errors with the mark of this file count.
  process.on('unhandledRejection', note)
  // Steady: only errors with the mark of this file count.
  process.on('uncaughtException', note)
})
afterEach(() => {
  process.off('unhandledRejection', note)
  process.off('uncaughtException', note)
})

/** Numbers from 0 to 1 that a seed determines. */
function numbersOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** A store of which many calls fail, before or after their effect. */
function unreliable(inner: Store, number: () => number): Store {
  const failing = <TPart extends object>(part: TPart): TPart => {
    const calls = Object.entries(part).map(([key, call]) => {
      if (typeof call !== 'function') return [key, call]
      return [
        key,
        async (...given: unknown[]) => {
          const fails = number() < 0.15
          if (!fails || number() < 0.5) await new Promise(setImmediate)
          const result: unknown = fails ? undefined : await Reflect.apply(call, part, given)
          if (fails || number() < 0.05)
            throw new ParleyError({ code: 'store-unavailable', store: inner.name, detail: MARK })
          return result
        },
      ]
    })
    return { ...part, ...(Object.fromEntries(calls) as object) }
  }
  const { inbox, deadLetters } = inner
  return {
    ...failing(inner),
    inbox: inbox === undefined ? undefined : failing(inbox),
    deadLetters: deadLetters === undefined ? undefined : failing(deadLetters),
  }
}

const settle = (work: Promise<unknown> | undefined): Promise<unknown> => Promise.resolve(work).catch(() => {})

it.each(Array.from({ length: 12 }, (_, index) => index + 1))(
  'runs, readers, child runs, commands and approvals of an unreliable store leave no unhandled rejection (case %i)',
  async seed => {
    await using inner = await openSqliteStore({ path: ':memory:' })
    const number = numbersOf(seed)
    const store = unreliable(inner, number)
    const work = defineTool({
      name: 'work',
      description: 'Works.',
      input: { type: 'object' },
      effect: 'idempotent',
      execute: async (_, { progress }) => {
        progress('half')
        await new Promise(setImmediate)
        return 'ok'
      },
    })
    const ask = defineTool({
      name: 'ask',
      description: 'Asks.',
      input: { type: 'object' },
      execute: (_, { approved }) => (approved === true ? 'ok' : toolAsk('May I?', { expiresInMs: 50 })),
    })
    const child = defineAgent({
      name: 'child',
      model: scriptedModel(({ messages }) => (messages.length < 4 ? { toolCalls: [{ name: 'work' }] } : 'done')),
      tools: [work],
    })
    const delegate = defineTool({
      name: 'delegate',
      description: 'Delegates.',
      input: { type: 'object' },
      effect: 'idempotent',
      execute: async (_, context) => {
        const runs = [1, 2].map(key => context.delegate?.({ agent: child, input: 'go', key: `${key}` }))
        // A handler may wait for one child run only.
        return (await runs[0])?.status ?? 'none'
      },
    })
    const model = scriptedModel(({ messages }) => {
      const names = ['work', 'ask', 'delegate', 'work'].slice(0, 1 + (messages.length % 4))
      return messages.length < 9 ? { toolCalls: names.map(name => ({ name })) } : 'done'
    })
    const bus = createEventBus({ deadLetters: store.deadLetters })
    bus.subscribe(
      () => {
        throw new Error('no')
      },
      { name: 'failing', capacity: 1 },
    )
    const agent = defineAgent({ name: 'a', model, tools: [work, ask, delegate] })
    const shared = { agents: [agent, child], captureRequests: 'keep', leaseMs: 15, autoResume: ['default'] } as const
    const runtimes = [1, 2].map(index => createRuntime({ ...shared, store, ...(index === 1 ? { bus } : {}) }))
    const calls: Promise<unknown>[] = []
    for (let index = 0; index < 12; index++) {
      const [here, there] = (index % 2 === 0 ? runtimes : runtimes.toReversed()) as [
        (typeof runtimes)[0],
        (typeof runtimes)[0],
      ]
      const controller = new AbortController()
      const run = here.run('a', 'go', { sessionId: `s${index % 5}`, signal: controller.signal })
      const { runId } = run
      const read = async (events: AsyncIterable<unknown>, most: number): Promise<void> => {
        let count = 0
        for await (const _ of events) if (++count >= most) return
      }
      calls.push(
        run.result,
        settle(read(run, 20)),
        settle(read(there.replay(runId, { follow: true, signal: controller.signal }), 10)),
        settle(run.steer('faster')),
        settle(there.steer(runId, 'slower')),
        settle(there.decide(runId, 'none', { decision: { type: 'approved' } })),
        settle(there.session('s1')),
      )
      setTimeout(() => controller.abort(new Error(MARK)), number() * 100)
      setTimeout(() => calls.push(settle(there.cancel(runId).then(other => other.result))), number() * 100)
      setTimeout(() => calls.push(settle(there.resume(runId, { force: true }))), number() * 60)
    }
    await new Promise(resolve => {
      setTimeout(resolve, 150)
    })
    await Promise.all(calls)
    for (const runtime of runtimes) await runtime.close({ drainMs: 50, graceMs: 50 })
    await settle(bus.close())
    await new Promise(setImmediate)
    expect(unhandled).toEqual([])
  },
)
