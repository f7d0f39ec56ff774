import type { AgentRole } from '../schema/agent-message.ts'

const CALLS: ReadonlySet<string> = new Set(['function_call', 'plugin_call', 'component_call', 'mcp_call'])
const OUTPUTS: ReadonlySet<string> = new Set([...CALLS].map(type => `${type}_output`))
const BY_ASSISTANT: ReadonlySet<string> = new Set([...CALLS, 'reasoning', 'mcp_approval_request', 'mcp_list_tools'])

/** Whether messages of this type are tool calls. */
export function isCallType(type: string): boolean {
  return CALLS.has(type)
}

/** Whether messages of this type are tool outputs. */
export function isOutputType(type: string): boolean {
  return OUTPUTS.has(type)
}

/** Returns the only role that messages of this type may have. `undefined` if any role is valid. */
export function roleOfType(type: string): AgentRole | undefined {
  if (OUTPUTS.has(type)) return 'tool'
  return BY_ASSISTANT.has(type) ? 'assistant' : undefined
}
