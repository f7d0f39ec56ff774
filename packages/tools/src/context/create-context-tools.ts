import type { Tool } from '@parley/core'
import { revertToStateTool } from './revert-to-state-tool.ts'
import { trimContextTool } from './trim-context-tool.ts'

/**
 * Creates the tools `trim_context` and `revert_to_state`, both of effect `idempotent`. With them, a model removes its
 * own steps from its next requests. The run's journal keeps the steps.
 */
export function createContextTools(): readonly Tool[] {
  return [trimContextTool, revertToStateTool] as readonly Tool[]
}
