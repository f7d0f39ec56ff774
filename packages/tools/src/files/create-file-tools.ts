import { checkOptions, type OptionKinds, type Tool } from '@parley/core'
import type { Workspace } from '../workspace/workspace.ts'
import { editTool } from './edit-tool.ts'
import { findTool } from './find-tool.ts'
import { grepTool } from './grep-tool.ts'
import { lsTool } from './ls-tool.ts'
import { readTool } from './read-tool.ts'
import { writeTool } from './write-tool.ts'

export interface FileToolsOptions {
  /** The directories that the tools may use. Create one with `createWorkspace`. */
  readonly workspace: Workspace
  /** Whether to include the tools `write` and `edit`. @default false */
  readonly write?: boolean | undefined
  /** Milliseconds after which `find` and `grep` stop and report what they have found. @default 10_000 */
  readonly grepTimeLimitMs?: number | undefined
}

const OPTIONS: OptionKinds<FileToolsOptions> = {
  workspace: 'object!',
  write: 'boolean',
  grepTimeLimitMs: 'number',
}

/**
 * Creates the tools `read`, `ls`, `find` and `grep`, all of effect `read`. With `write: true` it adds `write` (effect
 * `idempotent`) and `edit` (effect `once`). A refused call is a failure that tells the model what to do instead. Requires
 * Node.js: the file system, and a worker thread for `find` and `grep`.
 */
export function createFileTools(options: FileToolsOptions): readonly Tool[] {
  checkOptions('createFileTools', options, OPTIONS)
  const { workspace, write = false, grepTimeLimitMs: timeLimitMs = 10_000 } = options
  return [
    readTool(workspace),
    lsTool(workspace),
    findTool({ workspace, timeLimitMs }),
    grepTool({ workspace, timeLimitMs }),
    ...(write ? [writeTool(workspace), editTool(workspace)] : []),
  ]
}
