import type { ContextPolicy } from '@parley/core'
import { droppingPolicy, type CompactionBounds } from '@parley/core/context'
import { checkPolicy, type PolicyTable } from './check-options.ts'

export interface SlidingWindowOptions extends CompactionBounds {
  /** Largest number of messages in one model call. @default 100 */
  readonly maxMessages?: number | undefined
}

const OPTIONS: PolicyTable<SlidingWindowOptions> = {
  maxMessages: 'count',
  maxTokens: 'count',
  beforeCompaction: 'function',
}

/**
 * Keeps the newest messages. When a conversation exceeds a bound, the policy drops the oldest messages until the rest
 * fills at most three quarters of the bound. So several turns pass before the next cut, and the provider's prompt cache
 * stays valid during these turns. `slidingWindow()` is what the engine uses for an agent without a policy.
 * @throws ParleyError `config-invalid` if an option is unknown or invalid.
 */
export function slidingWindow(options: SlidingWindowOptions = {}): ContextPolicy {
  checkPolicy('slidingWindow', options, OPTIONS)
  const { maxMessages = 100, ...rest } = options
  return droppingPolicy('sliding-window', { ...rest, maxMessages })
}
