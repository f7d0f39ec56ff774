import type { MemoryStore, RunFacts, Store, Tool } from '@parley/core'
import { recallMemoryTool } from './recall-memory-tool.ts'
import { rememberMemoryTool } from './remember-memory-tool.ts'
import { searchHistoryTool } from './search-history-tool.ts'

export interface MemoryToolsOptions {
  /** Where notes are kept: `store.memory`. */
  readonly memory: MemoryStore
  /** Whose notes a run reads and writes: those of its session, say, or of its principal. @default the run's scope */
  readonly scope?: ((run: RunFacts) => string) | undefined
  /** The store of the runs that `search_history` looks through; without one there is no such tool. */
  readonly history?: Pick<Store, 'runs' | 'read'> | undefined
  /** Most runs that `search_history` looks through, the newest. @default 100 */
  readonly maxRuns?: number | undefined
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined
}

/**
 * The tools `recall_memory` (of effect `read`), `remember_memory` (`idempotent`: run again, a call writes the same note) and,
 * with a history, `search_history` (`read`), which finds what was said in other sessions of the run's scope.
 */
export function createMemoryTools({
  memory,
  scope = run => run.scope,
  history,
  maxRuns = 100,
  now = Date.now,
}: MemoryToolsOptions): readonly Tool[] {
  const notes = { memory, scope, now }
  return [
    recallMemoryTool(notes),
    rememberMemoryTool(notes),
    ...(history === undefined ? [] : [searchHistoryTool({ history, maxRuns })]),
  ]
}
