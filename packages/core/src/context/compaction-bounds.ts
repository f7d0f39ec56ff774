import type { ContextView } from '../hooks/context-view.ts'

/** The bounds of a context policy. The policy compacts a conversation that exceeds one of them. */
export interface CompactionBounds {
  /** Largest number of messages in one model call. @default unlimited */
  readonly maxMessages?: number | undefined
  /**
   * Largest number of tokens in one model call, including instructions and tools.
   * @default four fifths of the model's context window; unlimited if the window is unknown
   */
  readonly maxTokens?: number | undefined
  /**
   * Called when the conversation exceeds a bound. If it returns `false`, the policy does not compact before this turn.
   * Not called after the provider rejected a request as too long.
   * @default compact always
   */
  readonly beforeCompaction?: ((view: ContextView) => boolean) | undefined
}

/**
 * Share of its bounds that a conversation may fill after a compaction. A compaction changes the beginning of the
 * request, which invalidates the provider's prompt cache. The free quarter lets several turns pass before the next
 * compaction.
 */
export const LEFT_SHARE = 0.75

/** Returns the largest number of tokens in one call: the smaller of `maxTokens` and the view's budget. */
export function tokenLimit(view: ContextView, maxTokens = Infinity): number {
  return Math.min(maxTokens, view.budget ?? Infinity)
}

/** Returns whether the view exceeds the bounds. */
export function isOver(view: ContextView, { maxMessages = Infinity, maxTokens }: CompactionBounds): boolean {
  return view.length > maxMessages || view.exceeds(tokenLimit(view, maxTokens))
}
