import { defineTool, type Delegate, type ToolContext } from '@parley/core'
import { scriptedModel } from '@parley/testing'
import { defineAgent, type Agent } from '../../../index.ts'

/** An agent whose one tool does what the test says, and is called once. */
export function withHandler(
  work: (context: ToolContext & { delegate: Delegate }) => Promise<unknown>,
  agent: Partial<Agent> = {},
) {
  const tool = defineTool({
    name: 'work',
    description: 'Works.',
    input: { type: 'object' },
    execute: async (_, context) => JSON.stringify(await work(context as ToolContext & { delegate: Delegate })),
  })
  const model = scriptedModel([{ toolCalls: [{ name: 'work' }] }, 'Done.'])
  return defineAgent({ name: 'lead', model, tools: [tool], ...agent })
}
