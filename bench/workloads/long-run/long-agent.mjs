import { slidingWindow } from '@parley/context-policies'
import { defineAgent } from '@parley/engine'
import { add, usage } from '../scripted-agent.mjs'

/**
 * An agent that calls a tool in each turn. Its model takes no time and does not read its request, so the cost of a turn does not
 * contain work of the model that grows with the history. `script.next` is called with each model call, and returns a promise to wait
 * for, or true to end the run.
 * @param {{ next: (signal: AbortSignal) => Promise<void> | boolean }} script
 * @param {number} [maxMessages] Messages in a request. @default all
 */
export function longAgent(script, maxMessages = Infinity) {
  let calls = 0
  const model = {
    provider: 'bench',
    id: 'script',
    info: { contextWindow: 1e9 },
    async *stream(_request, { signal }) {
      const next = script.next(signal)
      if (typeof next === 'object') await next
      if (next === true) yield { type: 'text.delta', text: 'The sum is three.' }
      else yield { type: 'tool-call', callId: `call_${++calls}`, name: 'add', arguments: '{"a":1,"b":2}' }
      yield { type: 'usage', usage }
      yield { type: 'finish', reason: next === true ? 'stop' : 'tool-calls' }
    },
  }
  const context = slidingWindow({ maxMessages })
  return defineAgent({ name: 'long', model, tools: [add], context, limits: { maxTurns: 1e9, maxTokens: 1e15 } })
}
