import type { ContextPolicy, ContextView, MessageGroup, Model } from '@parley/core'
import { checkOptions } from './check-options.ts'
import { type CompactionBounds, isOver, LEFT_SHARE, summaryLimit, tokenLimit } from './compaction-bounds.ts'
import { modelSummary } from './model-summary.ts'
import { summarized, summaryText } from './summary-message.ts'
import type { Summarizer } from './summarizer.ts'
import { isSystem, requestFor, turnsOf, unreadTurns } from './turns.ts'

export interface SummarizeOptions extends CompactionBounds {
  /** Writes the summary. @default the agent's own */
  readonly model?: Model | undefined
  /** Writes the summary in place of a model. @default modelSummary({ model }) */
  readonly summary?: Summarizer | undefined
  /** @default 2_000 */
  readonly maxSummaryTokens?: number | undefined
  /** Turns that stay as they are; fewer when they are too long. What the model has not read yet stays always. @default 4 */
  readonly keepRecentTurns?: number | undefined
  /** What the summary should pay most attention to. @default nothing special */
  readonly focus?: string | undefined
}

/**
 * Replaces the older turns by a summary, which the next summary takes in. The user's message that the kept turns work
 * on stays word for word. When no summary can be had, the oldest messages are dropped instead. Without `maxTokens`,
 * `maxMessages` or a known window it acts only when the provider refuses a call, or when it is asked for.
 * @throws ParleyError `config-invalid`.
 */
export function summarize(options: SummarizeOptions = {}): ContextPolicy {
  checkOptions('summarize', options, {
    maxMessages: 'count',
    maxTokens: 'count',
    model: 'model',
    summary: 'function',
    maxSummaryTokens: 'count',
    keepRecentTurns: 'count',
    focus: 'string',
    beforeCompaction: 'function',
  })
  const { model, summary = modelSummary({ model }), maxSummaryTokens = 2_000, keepRecentTurns = 4, focus } = options
  const { maxMessages = Infinity, maxTokens, beforeCompaction = () => true } = options
  const split = (view: ContextView, anyway = false): Split | undefined => {
    const target = Math.floor(tokenLimit(view, maxTokens) * LEFT_SHARE)
    // What fits stays as it is: compacting twice is compacting once.
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
    async compact(request) {
      const parts = split(request, request.trigger === 'manual')
      if (parts === undefined) return undefined
      const { old, pinned, heading, recent, summaryTokens } = parts
      const text = await summarized(request, old, { summary, maxTokens: summaryTokens, focus })
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
  /** What the summary is of. */
  readonly old: readonly MessageGroup[]
  readonly pinned: readonly MessageGroup[]
  /** The request that the recent turns work on, when it is among the old. */
  readonly heading: readonly MessageGroup[]
  readonly recent: readonly MessageGroup[]
  readonly summaryTokens: number
}

/** Undefined when there is nothing to put into a summary that is not one already. */
function splitOff(view: ContextView, targets: SplitTargets): Split | undefined {
  const { maxMessages, maxTokens, keepRecentTurns, summaryTokens } = targets
  const turns = turnsOf(view.groups)
  const least = unreadTurns(turns)
  for (let kept = Math.max(Math.min(keepRecentTurns, turns.length), least); kept >= least; kept--) {
    const recent = turns.slice(turns.length - kept).flat()
    const before = turns.slice(0, turns.length - kept).flat()
    const pinned = before.filter(isSystem)
    const old = before.filter(group => !isSystem(group))
    const request = requestFor(recent, old)
    const heading = request === undefined ? [] : [request]
    const messages = [...pinned, ...heading, ...recent].flatMap(group => group.messages)
    const tokens = maxTokens === Infinity ? 0 : view.fixedTokens + summaryTokens + view.count(messages)
    if (kept > least && (messages.length + 1 > maxMessages || tokens > maxTokens)) continue
    const isNew = old.some(group => !heading.includes(group) && group.messages.every(isNoSummary))
    return isNew ? { old, pinned, heading, recent, summaryTokens } : undefined
  }
  return undefined
}

function isNoSummary(message: MessageGroup['messages'][number]): boolean {
  return summaryText(message) === undefined
}
