import type { Tool } from '@parley/core'
import { defineAgent, type Agent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'

/** An answer that calls the tool `pay`. */
export const PAY = { toolCalls: [{ name: 'pay' }] }

/** Creates a sub-agent that calls `pay` and then answers `Helped.` */
export function helperAgent(pay: Tool): Agent {
  const model = scriptedModel(({ messages }) => (messages.length === 1 ? PAY : 'Helped.'))
  return defineAgent({ name: 'helper', description: 'Helps.', model, tools: [pay] })
}
