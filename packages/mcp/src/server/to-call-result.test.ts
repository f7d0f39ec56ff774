import { toolHandoff } from '@parley/core'
import { expect, it } from 'vitest'
import { toCallResult } from './to-call-result.ts'

it('toCallResult turns a handoff into an error', () => {
  const text = "The tool hands over to the agent 'billing', but an MCP server cannot hand over."
  expect(toCallResult(toolHandoff('billing'))).toEqual({ isError: true, content: [{ type: 'text', text }] })
})
