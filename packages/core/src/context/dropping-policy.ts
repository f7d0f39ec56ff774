import { checkOptions } from '../options/check-options.ts'
import type { OptionKinds } from '../options/option-kind.ts'
import type { ContextPolicy } from '../hooks/context-policy.ts'
import type { ContextView, MessageGroup } from '../hooks/context-view.ts'
import { isOver, LEFT_SHARE, tokenLimit, type CompactionBounds } from './compaction-bounds.ts'
import { dropOldest } from './drop-oldest.ts'
import { exceededBound } from './unsatisfied-bound.ts'

/** Options of `droppingPolicy`. */
export interface DroppingPolicyOptions extends CompactionBounds {
  /** Number of newest messages that stay even if they exceed the bounds. @default 0 */
  readonly minMessages?: number | undefined
  /** Whether system messages of the conversation stay. @default true */
  readonly keepSystem?: boolean | undefined
}

const OPTIONS: OptionKinds<DroppingPolicyOptions> = {
  minMessages: 'number',
  keepSystem: 'boolean',
  maxMessages: 'number',
  maxTokens: 'number',
  beforeCompaction: 'function',
}

/**
 * Creates a policy that drops the oldest groups when the conversation exceeds a bound, until the rest fills at most
 * three quarters of the bound. The newest group always stays. `name` appears in the journal.
 */
export function droppingPolicy(name: string, options: DroppingPolicyOptions): ContextPolicy {
  checkOptions('droppingPolicy', options, OPTIONS)
  const { maxMessages = Infinity, maxTokens, minMessages = 0, keepSystem = true } = options
  const { beforeCompaction = () => true } = options
  const drop = (view: ContextView): readonly MessageGroup[] | undefined =>
    dropOldest(view, {
      maxMessages: Math.floor(maxMessages * LEFT_SHARE),
      maxTokens: Math.floor(tokenLimit(view, maxTokens) * LEFT_SHARE),
      minMessages,
      keepSystem,
    })
  return {
    name,
    due: view => isOver(view, { maxMessages, maxTokens }) && drop(view) !== undefined && beforeCompaction(view),
    unsatisfied(view) {
      const exceeded = exceededBound(view, { bound: 'maxTokens', max: maxTokens })
      return exceeded === undefined || drop(view) !== undefined ? undefined : exceeded
    },
    compact(request) {
      const view = drop(request)
      return view === undefined ? undefined : { view }
    },
  }
}
