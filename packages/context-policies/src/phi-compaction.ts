import {
  ParleyError,
  refuseOption,
  type CompactionRequest,
  type ContextPolicy,
  type ContextView,
  type MessageGroup,
} from '@parley/core'
import { exceededBound, LEFT_SHARE, type CompactionBounds } from '@parley/core/context'
import { checkPolicy, type PolicyTable } from './check-options.ts'
import { layOut, type Layout, type Section } from './phi-layout.ts'
import type { Summarizer } from './summarizer.ts'
import { summaryLimit, summaryOf, type SummaryOptions } from './summary-message.ts'
import { turnDigest } from './turn-digest.ts'

export interface PhiCompactionOptions extends Pick<CompactionBounds, 'beforeCompaction'> {
  /** The context window in tokens. @default the model's window; 100_000 if it is unknown */
  readonly maxContextTokens?: number | undefined
  /** Tokens reserved for instructions and tools, even if these need fewer. @default 4_000 */
  readonly systemPromptTokens?: number | undefined
  /**
   * Share of the window, from 0 to 1, that a call may use. The part of this share that a call leaves free is the
   * headroom.
   * @default 0.9
   */
  readonly compactAtPct?: number | undefined
  /**
   * Share of the window, from 0 to 1. The policy compacts when the headroom, which `compactAtPct` defines, falls below it.
   * @default 0.05
   */
  readonly compactBudgetThresholdPct?: number | undefined
  /**
   * Number of earlier runs of the session that the summary includes. With `token-budget`, as many as would fit into the
   * window unchanged. @default 3
   */
  readonly scope?: number | 'token-budget' | undefined
  /** Number of first turns of the current run that stay. @default 2 */
  readonly keepFirstTurns?: number | undefined
  /** Number of newest turns that stay. @default 10 */
  readonly keepRecentTurns?: number | undefined
  /** Largest number of tokens in all summaries together. @default 2_000 */
  readonly maxSummaryTokens?: number | undefined
  /**
   * Largest number of lines of one tool output in the recent turns. If an output is longer, lines in its middle are
   * removed. @default 50
   */
  readonly toolOutputMaxLines?: number | undefined
  /**
   * Subject that the summary should describe in most detail. `turnDigest` writes it before the summary. @default none
   */
  readonly focusMessage?: string | undefined
  /** Function that writes the summaries. @default turnDigest, which works without a model */
  readonly summary?: Summarizer | undefined
}

const DEFAULT_WINDOW = 100_000

const OPTIONS: PolicyTable<PhiCompactionOptions> = {
  maxContextTokens: 'count',
  systemPromptTokens: 'whole',
  compactAtPct: 'share',
  compactBudgetThresholdPct: 'share',
  scope: 'number or string',
  keepFirstTurns: 'whole',
  keepRecentTurns: 'count',
  maxSummaryTokens: 'count',
  toolOutputMaxLines: 'count',
  focusMessage: 'string',
  summary: 'function',
  beforeCompaction: 'function',
}

/**
 * Keeps the first and the recent turns of the current run, and shortens tool output in the recent turns. Summarizes the
 * turns between them, and the earlier runs. Each compaction starts from the whole conversation, so it never summarizes
 * a summary. If the result is still too long, fewer turns stay. Messages that the model has not read yet always stay.
 * @throws ParleyError `config-invalid` if an option is unknown or invalid.
 */
export function phiCompaction(options: PhiCompactionOptions = {}): ContextPolicy {
  checkPolicy('phiCompaction', options, OPTIONS)
  const { maxContextTokens, systemPromptTokens = 4_000, compactAtPct = 0.9, compactBudgetThresholdPct = 0.05 } = options
  if (compactAtPct <= compactBudgetThresholdPct) {
    const detail = `is ${compactAtPct}; must be above compactBudgetThresholdPct (${compactBudgetThresholdPct})`
    throw new ParleyError({ code: 'config-invalid', path: 'phiCompaction.compactAtPct', detail })
  }
  const { scope = 3, keepFirstTurns = 2, keepRecentTurns = 10, toolOutputMaxLines = 50 } = options
  if (scope !== 'token-budget' && !(scope === Infinity || (Number.isInteger(scope) && scope >= 0)))
    refuseOption('phiCompaction.scope', `is ${scope}; must be 'token-budget' or an integer of 0 or above`)
  const { maxSummaryTokens = 2_000, focusMessage: focus, summary = turnDigest, beforeCompaction = () => true } = options
  const keep = { scope, keepFirstTurns, keepRecentTurns, toolOutputMaxLines }
  const windowOf = (view: ContextView): number => maxContextTokens ?? view.window ?? DEFAULT_WINDOW
  const shareOf = (view: ContextView): number => {
    const window = windowOf(view)
    return Math.round(window * compactAtPct - window * compactBudgetThresholdPct)
  }
  /**
   * Returns the largest number of tokens in the whole call. Tokens reserved for instructions stay free even if the
   * instructions are shorter.
   */
  function limitOf(view: ContextView): number {
    return shareOf(view) - Math.max(systemPromptTokens - view.fixedTokens, 0)
  }
  /**
   * Decides which messages stay and which are summarized, so that the call fits the limit. Returns `undefined` if this
   * does not save tokens.
   */
  function layoutOf(view: ContextView, limit: number): PhiLayout | undefined {
    const maxTokens = Math.floor(limit * LEFT_SHARE)
    const summaryTokens = summaryLimit(maxSummaryTokens, maxTokens)
    const maxContext = windowOf(view)
    const layout = layOut(view, { ...keep, maxTokens, maxSummaryTokens: summaryTokens, maxContextTokens: maxContext })
    return layout.tokens < view.tokens() ? { ...layout, summaryTokens } : undefined
  }
  return {
    name: 'phi',
    due: view => {
      // The limit is never below this value, so a short conversation need not be counted.
      if (!view.exceeds(shareOf(view) - systemPromptTokens)) return false
      const limit = limitOf(view)
      return view.exceeds(limit) && layoutOf(view, limit) !== undefined && beforeCompaction(view)
    },
    unsatisfied(view) {
      const exceeded = exceededBound(view, { bound: 'maxContextTokens', max: maxContextTokens })
      return exceeded === undefined || layoutOf(view, limitOf(view)) !== undefined ? undefined : exceeded
    },
    async compact(request) {
      const refused = request.trigger === 'overflow' ? request.budget : undefined
      const layout = layoutOf(request, Math.min(limitOf(request), refused ?? Infinity))
      if (layout === undefined) return undefined
      return { view: await fill(request, layout, { summary, maxTokens: layout.summaryTokens, focus }) }
    },
  }
}

interface PhiLayout extends Layout {
  readonly summaryTokens: number
}

async function fill(request: CompactionRequest, layout: Layout, options: SummaryOptions): Promise<MessageGroup[]> {
  const { earlier, first, middle, recent } = layout
  const shared = earlier.old.length > 0 && middle.old.length > 0
  const maxTokens = shared ? Math.floor(options.maxTokens / 2) : options.maxTokens
  const sum = async ({ old }: Section): Promise<MessageGroup[]> =>
    old.length === 0 ? [] : [await summaryOf(request, old, { ...options, maxTokens })]
  return [...earlier.kept, ...(await sum(earlier)), ...first, ...(await sum(middle)), ...middle.kept, ...recent]
}
