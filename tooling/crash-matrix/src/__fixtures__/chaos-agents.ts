import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineTool, messageText, type Tool } from '@parley/core'
import { agentTool, defineAgent, type Agent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'

type Turns = readonly (readonly string[])[]

const WORK: Turns = [
  ['pay'],
  ['look', 'deploy', 'look'],
  ['sign'],
  ['help', 'look', 'deploy'],
  ['look', 'pay'],
]
const HELP: Turns = [['pay', 'look'], ['sign']]

/** The number of effects of a run of `worker`, including its child run. */
export const EFFECTS = [...WORK, ...HELP].flat().length - 1

/** The number of messages of a run of `worker`. */
export const MESSAGES = 2 + WORK.length + WORK.flat().length

/**
 * Creates the agents `worker` and `helper`. `worker` runs for five turns and starts a child run of `helper`, which runs
 * for two turns. With the input `ask`, each of them requests an approval.
 */
export function chaosAgents(effects: string): readonly Agent[] {
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
  const tools = [tool('pay', 'once'), tool('deploy', 'once'), tool('sign', 'once', { permission: 'ask' }), tool('look', 'read')]
  const help = agentTool('helper', { name: 'help' })
  return [
    defineAgent({ name: 'worker', model: modelOf(WORK), tools: [...tools, help] }),
    defineAgent({ name: 'helper', model: modelOf(HELP), tools }),
  ]
}

function modelOf(turns: Turns) {
  return scriptedModel(({ messages }) => {
    const [input] = messages
    const task = input === undefined ? '' : messageText(input)
    const calls = turns[messages.filter(({ role }) => role === 'assistant').length]
    if (calls === undefined) return { text: 'all done', delayMs: 5 }
    const named = calls.map(name => (name === 'sign' && task !== 'ask' ? 'look' : name))
    return { toolCalls: named.map(name => ({ name, input: name === 'help' ? { task } : {} })), delayMs: 5 }
  })
}
