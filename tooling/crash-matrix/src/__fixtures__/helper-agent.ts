import type { Tool } from '@parley/core'
import { defineAgent, type Agent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'

/** An answer that pays. */
export const PAY = { toolCalls: [{ name: 'pay' }] }

/** A sub-agent that pays and says so. */
export function helperAgent(pay: Tool): Agent {
  const model = scriptedModel(({ messages }) => (messages.length === 1 ? PAY : 'Helped.'))
  return defineAgent({ name: 'helper', description: 'Helps.', model, tools: [pay] })
}
