import type { ContextPolicy } from '@parley/core'
import { checkOptions } from './check-options.ts'
import type { CompactionBounds } from './compaction-bounds.ts'
import { droppingPolicy } from './sliding-window.ts'

export interface TruncateOldestOptions extends CompactionBounds {
  /** Messages that stay even when they are too much. @default 0: the newest group stays in any case */
  readonly minMessages?: number | undefined
  /** Whether system messages of the conversation stay wherever they are. The agent's instructions always do. @default true */
  readonly keepSystem?: boolean | undefined
}

/**
 * Drops the oldest messages once a call would be too long for the model, until three quarters of the bound are left.
 * With neither `maxTokens`, `maxMessages` nor a known window it acts only when the provider refuses a call; it never drops
 * what is within its bounds, also when it is asked to.
 * @throws ParleyError `config-invalid`.
 */
export function truncateOldest(options: TruncateOldestOptions = {}): ContextPolicy {
  checkOptions('truncateOldest', options, {
    maxMessages: 'count',
    maxTokens: 'count',
    minMessages: 'whole',
    keepSystem: 'boolean',
    beforeCompaction: 'function',
  })
  const { minMessages = 0, keepSystem = true, ...bounds } = options
  return droppingPolicy('truncate-oldest', { ...bounds, minMessages, keepSystem })
}
