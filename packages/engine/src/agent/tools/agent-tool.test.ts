import { defineTool } from '@parley/core'
import { expect, it } from 'vitest'
import { agentTool, isAgentTool } from './agent-tool.ts'

it('isAgentTool recognizes a tool of agentTool, and a copy of it with other fields', () => {
  const tool = agentTool('helper')
  expect([tool, { ...tool, name: 'other' }].map(isAgentTool)).toEqual([true, true])
})

it('isAgentTool says no to a tool that delegates in its own handler', () => {
  const own = defineTool({
    name: 'own',
    description: 'Delegates.',
    input: { type: 'object' },
    execute: async (_: unknown, { delegate }) => (await delegate?.({ agent: 'helper', input: 'go' }))?.status ?? 'none',
  })
  expect(isAgentTool(own)).toBe(false)
})
