import type { Tool } from '@parley/core'
import { revertToStateTool } from './revert-to-state-tool.ts'
import { trimContextTool } from './trim-context-tool.ts'

/**
 * The tools `trim_context` and `revert_to_state` (both `idempotent`), with which a model takes steps of its run out of what it
 * is sent. The run's journal keeps them.
 */
export function createContextTools(): readonly Tool[] {
  return [trimContextTool, revertToStateTool] as readonly Tool[]
}
