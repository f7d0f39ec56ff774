import type { ContextView } from '../hooks/context-view.ts'

/** When a context policy compacts, and how much it leaves. */
export interface CompactionBounds {
  /** Most messages of one call. @default unlimited */
  readonly maxMessages?: number | undefined
  /**
   * Most tokens of one call, including instructions and tools.
   * @default four fifths of the model's context window; unlimited if the window is unknown
   */
  readonly maxTokens?: number | undefined
  /**
   * Called when the policy is due. `false` skips the compaction for this turn. Not called after the provider refused a
   * call as too long.
   * @default compact always
   */
  readonly beforeCompaction?: ((view: ContextView) => boolean) | undefined
}

/**
 * The share of its bounds that a policy leaves. A compaction changes the beginning of the request, which invalidates the
 * provider's prompt cache. The free quarter lets several turns pass before the next compaction.
 */
export const LEFT_SHARE = 0.75

/** Returns the most tokens of one call: the smaller of `maxTokens` and the view's budget. */
export function tokenLimit(view: ContextView, maxTokens = Infinity): number {
  return Math.min(maxTokens, view.budget ?? Infinity)
}

/** Tells whether the view exceeds the bounds. */
export function isOver(view: ContextView, { maxMessages = Infinity, maxTokens }: CompactionBounds): boolean {
  return view.length > maxMessages || view.exceeds(tokenLimit(view, maxTokens))
}
