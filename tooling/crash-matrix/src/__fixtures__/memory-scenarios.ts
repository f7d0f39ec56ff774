import { defineAgent } from '@parley/engine'
import { defineTool, type Tool } from '@parley/core'
import { createMemoryTools } from '@parley/tools/memory'
import { modelOf } from './parts.ts'
import type { Scenario, World } from './scenario.ts'

/** Wraps the tool so that each execution is also recorded in the effects file, which survives a crash. */
function marked(world: World, tool: Tool): Tool {
  return defineTool({
    ...tool,
    execute: async (input: unknown, context) => {
      world.effect(context.idempotencyKey)
      return tool.execute(input, context)
    },
  })
}

/** Runs that write notes. Notes are not part of the journal, so a note that is written twice would be found twice. */
export const memoryScenarios: readonly Scenario[] = [
  {
    name: 'a note that is made and found again',
    agents: world => {
      const tools = createMemoryTools({ memory: world.memory(), scope: ({ sessionId }) => sessionId, now: () => 0 })
      const calls = [
        { name: 'remember_memory', callId: 'c0', input: { content: 'Ada likes tea.' } },
        { name: 'recall_memory', callId: 'c1', input: { query: 'tea' } },
      ]
      const model = modelOf(turn => {
        const call = calls[turn]
        return call === undefined ? 'Tea.' : { toolCalls: [call] }
      })
      return [defineAgent({ name: 'worker', model, tools: tools.map(tool => marked(world, tool)) })]
    },
  },
]
