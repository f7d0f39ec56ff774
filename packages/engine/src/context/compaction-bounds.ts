import type { ContextView } from '@parley/core'

/** When a policy acts, and how much it leaves. */
export interface CompactionBounds {
  /** Most messages of one call. */
  readonly maxMessages?: number | undefined
  /** Most tokens of one call, instructions and tools included. @default four fifths of the model's window, if it is known */
  readonly maxTokens?: number | undefined
  /**
   * Asked when the policy is due; `false` skips this turn. An overflow is not asked about.
   * @default always
   */
  readonly beforeCompaction?: ((view: ContextView) => boolean) | undefined
}

/**
 * The share of its bounds a policy leaves. Every compaction changes the beginning of what is sent, and so costs the
 * provider's prompt cache: a quarter of room lets several turns pass before the next.
 */
export const LEFT_SHARE = 0.75

/** The most tokens of one call, by the policy's bound and the model's window. */
export function tokenLimit(view: ContextView, maxTokens = Infinity): number {
  return Math.min(maxTokens, view.budget ?? Infinity)
}

/** Whether the view is beyond the bounds. */
export function isOver(view: ContextView, { maxMessages = Infinity, maxTokens }: CompactionBounds): boolean {
  return view.length > maxMessages || view.exceeds(tokenLimit(view, maxTokens))
}

/** How long a summary may be where so many tokens are left for the whole call: it must not fill what it made free. */
export function summaryLimit(maxSummaryTokens: number, maxTokens: number): number {
  return Math.max(1, Math.min(maxSummaryTokens, Math.floor(maxTokens / 4)))
}
