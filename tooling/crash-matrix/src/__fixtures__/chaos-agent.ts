import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineTool, messageText, type Tool } from '@parley/core'
import { defineAgent, type Agent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'

const SCRIPT = [
  [{ name: 'pay' }],
  [{ name: 'look' }, { name: 'deploy' }, { name: 'look' }],
  [{ name: 'sign' }],
  [{ name: 'look' }, { name: 'pay' }],
] as const

/** Works for five turns. What is said to it decides whether a person has to agree on the way. */
export function chaosAgent(effects: string): Agent {
  const tool = (name: string, effect: 'once' | 'read', rest: Partial<Tool> = {}): Tool =>
    defineTool({
      name,
      description: name,
      input: { type: 'object' },
      effect,
      ...rest,
      execute: async (_, { idempotencyKey }) => {
        appendFileSync(effects, `${idempotencyKey}\n`)
        await sleep(5)
        return `${name} done`
      },
    })
  const model = scriptedModel(({ messages }) => {
    const [input] = messages
    const asks = input !== undefined && messageText(input) === 'ask'
    const turn = messages.filter(({ role }) => role === 'assistant').length
    const calls = SCRIPT[turn]
    if (calls === undefined) return { text: 'all done', delayMs: 5 }
    return { toolCalls: calls.map(({ name }) => ({ name: name === 'sign' && !asks ? 'look' : name })), delayMs: 5 }
  })
  const tools = [tool('pay', 'once'), tool('deploy', 'once'), tool('sign', 'once', { permission: 'ask' }), tool('look', 'read')]
  return defineAgent({ name: 'worker', model, tools })
}
