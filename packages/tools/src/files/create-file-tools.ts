import type { Tool } from '@parley/core'
import type { Workspace } from '../workspace/workspace.ts'
import { editTool } from './edit-tool.ts'
import { findTool } from './find-tool.ts'
import { grepTool } from './grep-tool.ts'
import { lsTool } from './ls-tool.ts'
import { readTool } from './read-tool.ts'
import { writeTool } from './write-tool.ts'

export interface FileToolsOptions {
  /** Where the tools may look. Made by `createWorkspace`. */
  readonly workspace: Workspace
  /** Whether there are `write` and `edit` too. @default false */
  readonly write?: boolean | undefined
  /** Milliseconds after which `find` and `grep` stop and tell what they have found. @default 10_000 */
  readonly grepTimeLimitMs?: number | undefined
}

/**
 * The tools `read`, `ls`, `find` and `grep`, all of effect `read`; with `write` also `write` (effect `idempotent`) and
 * `edit` (`once`). What they refuse is a failure that tells the model what to do instead. Needs Node.js: its file
 * system, and for `find` and `grep` a worker thread.
 */
export function createFileTools({
  workspace,
  write = false,
  grepTimeLimitMs: timeLimitMs = 10_000,
}: FileToolsOptions): readonly Tool[] {
  return [
    readTool(workspace),
    lsTool(workspace),
    findTool({ workspace, timeLimitMs }),
    grepTool({ workspace, timeLimitMs }),
    ...(write ? [writeTool(workspace), editTool(workspace)] : []),
  ]
}
