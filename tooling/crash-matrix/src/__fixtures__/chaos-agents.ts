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

/** How many effects a run of `worker` has, those of its helper's run included. */
export const EFFECTS = [...WORK, ...HELP].flat().length - 1

/** How many messages it comes to. */
export const MESSAGES = 2 + WORK.length + WORK.flat().length

/**
 * `worker` works for five turns, and has `helper` work for two of its own. What is said to it decides whether a person has to
 * agree on the way, to each of them.
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
