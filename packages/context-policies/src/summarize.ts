import type { ContextPolicy, ContextView, MessageGroup, Model } from '@parley/core'
import {
  exceededBound,
  isOver,
  isSystemGroup,
  LEFT_SHARE,
  tokenLimit,
  type CompactionBounds,
} from '@parley/core/context'
import { checkPolicy, type PolicyTable } from './check-options.ts'
import { createModelSummary } from './create-model-summary.ts'
import type { Summarizer } from './summarizer.ts'
import { summaryLimit, summaryOf, summaryText } from './summary-message.ts'
import { requestFor, turnsOf, unreadTurns } from './turns.ts'

export interface SummarizeOptions extends CompactionBounds {
  /** The model that writes the summary. @default the agent's model */
  readonly model?: Model | undefined
  /** Function that writes the summary instead of `model`. @default createModelSummary({ model }) */
  readonly summary?: Summarizer | undefined
  /** Largest number of tokens in the summary. @default 2_000 */
  readonly maxSummaryTokens?: number | undefined
  /**
   * Number of newest turns that stay unchanged. If they are too long, fewer stay. Unread messages always stay.
   * @default 4
   */
  readonly keepRecentTurns?: number | undefined
  /** Subject that the summary should describe in most detail. @default none */
  readonly focus?: string | undefined
}

const OPTIONS: PolicyTable<SummarizeOptions> = {
  maxMessages: 'count',
  maxTokens: 'count',
  model: 'model',
  summary: 'function',
  maxSummaryTokens: 'count',
  keepRecentTurns: 'count',
  focus: 'string',
  beforeCompaction: 'function',
}

/**
 * Replaces the older turns with a summary. The next summary includes the previous one. The user's request that the kept
 * turns answer stays unchanged. If no summary can be written, the engine drops the oldest messages instead. If neither
 * a bound nor the model's window is known, the policy compacts only in two cases: on a manual request, and after the
 * provider rejected a request as too long.
 * @throws ParleyError `config-invalid` if an option is unknown or invalid.
 */
export function summarize(options: SummarizeOptions = {}): ContextPolicy {
  checkPolicy('summarize', options, OPTIONS)
  const {
    model,
    summary = createModelSummary({ model }),
    maxSummaryTokens = 2_000,
    keepRecentTurns = 4,
    focus,
  } = options
  const { maxMessages = Infinity, maxTokens, beforeCompaction = () => true } = options
  const split = (view: ContextView, anyway = false): Split | undefined => {
    const target = Math.floor(tokenLimit(view, maxTokens) * LEFT_SHARE)
    // Messages that fit stay: a second compaction changes nothing.
    if (!anyway && view.length <= Math.floor(maxMessages * LEFT_SHARE) && !view.exceeds(target)) return undefined
    return splitOff(view, {
      maxMessages: Math.floor(maxMessages * LEFT_SHARE),
      maxTokens: target,
      keepRecentTurns,
      summaryTokens: summaryLimit(maxSummaryTokens, target),
    })
  }
  return {
    name: 'summarize',
    due: view => isOver(view, options) && split(view) !== undefined && beforeCompaction(view),
    unsatisfied(view) {
      const exceeded = exceededBound(view, { bound: 'maxTokens', max: maxTokens })
      return exceeded === undefined || split(view) !== undefined ? undefined : exceeded
    },
    async compact(request) {
      const parts = split(request, request.trigger === 'manual')
      if (parts === undefined) return undefined
      const { old, pinned, heading, recent, summaryTokens } = parts
      const text = await summaryOf(request, old, { summary, maxTokens: summaryTokens, focus })
      return { view: [...pinned, text, ...heading, ...recent] }
    },
  }
}

interface SplitTargets {
  readonly maxMessages: number
  readonly maxTokens: number
  readonly keepRecentTurns: number
  readonly summaryTokens: number
}

interface Split {
  /** The groups that the summary replaces. */
  readonly old: readonly MessageGroup[]
  readonly pinned: readonly MessageGroup[]
  /** The user's request that the recent turns answer, if it is among the old groups. */
  readonly heading: readonly MessageGroup[]
  readonly recent: readonly MessageGroup[]
  readonly summaryTokens: number
}

/** Splits the view. Returns `undefined` if everything old is a summary already. */
function splitOff(view: ContextView, targets: SplitTargets): Split | undefined {
  const { maxMessages, maxTokens, keepRecentTurns, summaryTokens } = targets
  const turns = turnsOf(view.groups)
  const least = unreadTurns(turns)
  for (let kept = Math.max(Math.min(keepRecentTurns, turns.length), least); kept >= least; kept--) {
    const recent = turns.slice(turns.length - kept).flat()
    const before = turns.slice(0, turns.length - kept).flat()
    const pinned = before.filter(isSystemGroup)
    const old = before.filter(group => !isSystemGroup(group))
    const request = requestFor(recent, old)
    const heading = request === undefined ? [] : [request]
    const messages = [...pinned, ...heading, ...recent].flatMap(group => group.messages)
    const tokens = maxTokens === Infinity ? 0 : view.fixedTokens + summaryTokens + view.count(messages)
    if (kept > least && (messages.length + 1 > maxMessages || tokens > maxTokens)) continue
    const isNew = old.some(group => !heading.includes(group) && !group.messages.some(isSummary))
    return isNew ? { old, pinned, heading, recent, summaryTokens } : undefined
  }
  return undefined
}

function isSummary(message: MessageGroup['messages'][number]): boolean {
  return summaryText(message) !== undefined
}
