import { setTimeout } from 'node:timers/promises'
import { defineAgent } from '@parley/engine'

export const usage = { input: 100, output: 20, reasoning: 0, cacheRead: 0, cacheWrite: 0 }

/** The tool that the agents of the workloads call. */
export const add = {
  name: 'add',
  description: 'Adds two integers and returns the sum.',
  input: {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'integer' } },
    required: ['a', 'b'],
    additionalProperties: false,
  },
  execute: ({ a, b }) => a + b,
}

/** An agent that calls a tool in each turn but the last, which streams a text in `deltas` pieces. Its model takes `delayMs` a turn. */
export function scriptedAgent({ turns, deltas = 1, delayMs = 0 }) {
  const model = {
    provider: 'bench',
    id: 'script',
    info: { contextWindow: 10_000_000 },
    async *stream({ messages }) {
      const turn = messages.filter(({ role }) => role === 'assistant').length
      if (delayMs > 0) await setTimeout(delayMs)
      if (turn < turns - 1) {
        yield { type: 'tool-call', callId: `call_${turn}`, name: 'add', arguments: '{"a":1,"b":2}' }
      } else for (let sent = 0; sent < deltas; sent++) yield { type: 'text.delta', text: 'The sum is three. ' }
      yield { type: 'usage', usage }
      yield { type: 'finish', reason: turn < turns - 1 ? 'tool-calls' : 'stop' }
    },
  }
  return defineAgent({ name: 'bench', model, tools: [add] })
}
