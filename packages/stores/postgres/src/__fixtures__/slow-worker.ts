import { setTimeout as sleep } from 'node:timers/promises'
import { defineTool } from '@parley/core'
import { defineAgent, type Agent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'

export interface SlowWorker {
  readonly agent: Agent
  /** Number of executions of each call. */
  readonly calls: ReadonlyMap<string, number>
}

/** Creates an agent `worker` that calls a slow tool once per turn, and counts the executions. */
export function slowWorker(turns: number): SlowWorker {
  const calls = new Map<string, number>()
  const work = defineTool({
    name: 'work',
    description: 'Works.',
    input: { type: 'object' },
    execute: async (_, { idempotencyKey }) => {
      calls.set(idempotencyKey, (calls.get(idempotencyKey) ?? 0) + 1)
      await sleep(5)
      return 'done'
    },
  })
  const model = scriptedModel(({ messages }) => {
    const turn = messages.filter(message => message.role === 'assistant').length
    return turn < turns ? { toolCalls: [{ name: 'work' }], delayMs: 5 } : 'all done'
  })
  return { agent: defineAgent({ name: 'worker', model, tools: [work] }), calls }
}
