import type { Tool } from '@parley/core'
import type { Workspace } from '../workspace/workspace.ts'
import { grepTool } from './grep-tool.ts'
import { lsTool } from './ls-tool.ts'
import { readTool } from './read-tool.ts'

export interface FileToolsOptions {
  /** Where the tools may look. Made by `createWorkspace`. */
  readonly workspace: Workspace
  /** Milliseconds after which a search is stopped and tells what it has found. @default 10_000 */
  readonly grepTimeLimitMs?: number | undefined
}

/**
 * The tools `read`, `ls` and `grep`, all of effect `read`. What they refuse is a failure that tells the model what
 * to do instead. Needs Node.js: its file system, and for `grep` a worker thread.
 */
export function createFileTools({ workspace, grepTimeLimitMs = 10_000 }: FileToolsOptions): readonly Tool[] {
  return [readTool(workspace), lsTool(workspace), grepTool({ workspace, timeLimitMs: grepTimeLimitMs })]
}
