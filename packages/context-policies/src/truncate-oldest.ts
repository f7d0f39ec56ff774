import type { ContextPolicy } from '@parley/core'
import { droppingPolicy, type CompactionBounds } from '@parley/core/context'
import { checkPolicy, type PolicyTable } from './check-options.ts'

export interface TruncateOldestOptions extends CompactionBounds {
  /**
   * Number of newest messages that stay. If they exceed `maxTokens` or the model's window, the run fails with
   * `context-unsatisfiable`. @default 0: only the newest group always stays
   */
  readonly minMessages?: number | undefined
  /** Whether system messages of the conversation stay. The agent's instructions always stay. @default true */
  readonly keepSystem?: boolean | undefined
}

const OPTIONS: PolicyTable<TruncateOldestOptions> = {
  maxMessages: 'count',
  maxTokens: 'count',
  minMessages: 'whole',
  keepSystem: 'boolean',
  beforeCompaction: 'function',
}

/**
 * Drops the oldest messages when a call would exceed the model's window, until the rest fills at most three quarters of
 * the bound. Messages within the bounds stay, even in a manual compaction. If neither a bound nor the model's window is
 * known, the policy acts only after the provider rejected a request as too long.
 * @throws ParleyError `config-invalid` if an option is unknown or invalid.
 */
export function truncateOldest(options: TruncateOldestOptions = {}): ContextPolicy {
  checkPolicy('truncateOldest', options, OPTIONS)
  return droppingPolicy('truncate-oldest', options)
}
