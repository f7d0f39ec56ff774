import { checkOptions, type NoteStore, type OptionKinds, type RunFacts, type Store, type Tool } from '@parley/core'
import { recallMemoryTool } from './recall-memory-tool.ts'
import { rememberMemoryTool } from './remember-memory-tool.ts'
import { searchHistoryTool } from './search-history-tool.ts'

export interface MemoryToolsOptions {
  /** Where notes are stored: `store.notes`. */
  readonly memory: NoteStore
  /** Returns the scope of the notes that a run reads and writes, for example its session or its principal. @default the run's scope */
  readonly scope?: ((run: RunFacts) => string) | undefined
  /** The store whose runs `search_history` searches. @default none: `search_history` is not created */
  readonly history?: Pick<Store, 'runs' | 'read'> | undefined
  /** Maximum number of runs that `search_history` searches, the newest first. @default 100 */
  readonly maxRuns?: number | undefined
  /** Returns milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined
}

const OPTIONS: OptionKinds<MemoryToolsOptions> = {
  memory: 'object!',
  scope: 'function',
  history: 'object',
  maxRuns: 'number',
  now: 'function',
}

/**
 * Creates the tools `recall_memory` (effect `read`) and `remember_memory` (effect `idempotent`: a repeated call writes the
 * same note). With `history` it adds `search_history` (effect `read`), which finds messages of other sessions in the run's
 * scope.
 */
export function createMemoryTools(options: MemoryToolsOptions): readonly Tool[] {
  checkOptions('createMemoryTools', options, OPTIONS)
  const { memory, scope = run => run.scope, history, maxRuns = 100, now = Date.now } = options
  const notes = { memory, scope, now }
  return [
    recallMemoryTool(notes),
    rememberMemoryTool(notes),
    ...(history === undefined ? [] : [searchHistoryTool({ history, maxRuns })]),
  ]
}
