import { defineTool, type Reconciliation, type Store } from '@parley/core'
import { fakeClock, scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '@parley/memory-store'
import { createRuntime, defineAgent } from '../../index.ts'

type Answer = Reconciliation<string>

/** The result of a `once` call after a crash, and how often its handler ran. */
async function afterCrash(reconcile: ((key: string) => Promise<Answer> | Answer) | undefined, timeoutMs?: number) {
  const store = createMemoryStore()
  let executions = 0
  const processOn = (worker: string, hangs: boolean) => {
    const clock = fakeClock()
    const pay = defineTool({
      name: 'pay',
      description: 'Pays.',
      input: { type: 'object' },
      timeoutMs,
      execute: () => {
        executions += 1
        return hangs ? new Promise<string>(() => {}) : 'paid'
      },
      ...(reconcile === undefined ? {} : { reconcile: (_, { idempotencyKey }) => reconcile(idempotencyKey) }),
    })
    const model = scriptedModel(({ messages }) => (messages.length === 1 ? { toolCalls: [{ name: 'pay' }] } : 'Done.'))
    return {
      clock,
      runtime: createRuntime({ store, worker, clock, agents: [defineAgent({ name: 'a', model, tools: [pay] })] }),
    }
  }
  const dead = processOn('dead', true)
  const { runId } = dead.runtime.run('a', 'go')
  await dead.clock.advance(1)
  const next = processOn('next', false)
  await next.clock.advance(60_000)
  const run = await next.runtime.resume(runId)
  await next.clock.advance(10_000)
  expect((await run.result).status).toBe('completed')
  return { runId, executions, ...(await toldIn(store, runId)) }
}

async function toldIn(store: Store, runId: string) {
  const entries = await store.read(runId)
  const ended = entries.find(entry => entry.type === 'tool.ended')
  const starts = entries.filter(entry => entry.type === 'tool.started').length
  const text = ended?.message.content.map(part => (part.type === 'text' ? part.text : '')).join('')
  return { starts, text, error: ended?.error?.code }
}

describe('a once call that a crash has cut off', () => {
  it('an interrupted once call gets the result that reconcile finds, and is not repeated', async () => {
    const asked: string[] = []
    const found = await afterCrash(key => {
      asked.push(key)
      return { type: 'done', output: 'paid before' }
    })
    expect(found).toMatchObject({ executions: 1, starts: 1, text: 'paid before', error: undefined })
    expect(asked).toEqual([`${found.runId}/call_1`])
  })

  it('an interrupted once call is repeated when reconcile finds that it had no effect', async () => {
    const found = await afterCrash(() => ({ type: 'not-done' }))
    expect(found).toMatchObject({ executions: 2, starts: 2, text: 'paid', error: undefined })
  })

  it.each<[string, (() => Promise<Answer> | Answer) | undefined]>([
    ['has no reconcile', undefined],
    ['cannot tell', () => ({ type: 'unknown' })],
    ['fails to find out', () => Promise.reject(new Error('no'))],
    ['does not find out in time', () => new Promise<Answer>(() => {})],
  ])('an interrupted once call is reported as interrupted when its tool %s', async (_, reconcile) => {
    expect(await afterCrash(reconcile, 1_000)).toMatchObject({ executions: 1, starts: 1, error: 'tool-interrupted' })
  })
})
