import type { ContextPolicy } from '@parley/core'
import { checkOptions } from './check-options.ts'
import { type CompactionBounds, isOver, LEFT_SHARE, tokenLimit } from './compaction-bounds.ts'
import { dropOldest } from './drop-oldest.ts'

export interface SlidingWindowOptions extends CompactionBounds {
  /** Most messages of one call. @default 100 */
  readonly maxMessages?: number | undefined
}

/**
 * Keeps the newest messages. When a bound is passed, the oldest are dropped until three quarters of it are left, so
 * that the provider's prompt cache holds for several turns between two cuts.
 * @throws ParleyError `config-invalid`.
 */
export function slidingWindow(options: SlidingWindowOptions = {}): ContextPolicy {
  checkOptions('slidingWindow', options, { maxMessages: 'count', maxTokens: 'count', beforeCompaction: 'function' })
  const { maxMessages = 100, ...rest } = options
  return droppingPolicy('sliding-window', { ...rest, maxMessages, minMessages: 0, keepSystem: true })
}

/** A policy that drops the oldest groups. */
export function droppingPolicy(
  name: string,
  options: CompactionBounds & { readonly minMessages: number; readonly keepSystem: boolean },
): ContextPolicy {
  const { maxMessages = Infinity, maxTokens, minMessages, keepSystem, beforeCompaction = () => true } = options
  const bounds = { maxMessages, maxTokens }
  const drop = (view: Parameters<ContextPolicy['due']>[0]) =>
    dropOldest(view, {
      maxMessages: Math.floor(maxMessages * LEFT_SHARE),
      maxTokens: Math.floor(tokenLimit(view, maxTokens) * LEFT_SHARE),
      minMessages,
      keepSystem,
    })
  return {
    name,
    due: view => isOver(view, bounds) && drop(view) !== undefined && beforeCompaction(view),
    compact(request) {
      const view = drop(request)
      return view === undefined ? undefined : { view }
    },
  }
}
