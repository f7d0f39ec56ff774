import {
  ParleyError,
  type CompactionRequest,
  type ContextPolicy,
  type ContextView,
  type MessageGroup,
} from '@parley/core'
import { checkOptions } from './check-options.ts'
import { type CompactionBounds, LEFT_SHARE, summaryLimit } from './compaction-bounds.ts'
import { layOut, type Layout, type Section } from './phi-layout.ts'
import { summarized, type SummaryOptions } from './summary-message.ts'
import type { Summarizer } from './summarizer.ts'
import { turnDigest } from './turn-digest.ts'

export interface PhiCompactionOptions extends Pick<CompactionBounds, 'beforeCompaction'> {
  /** The model's window. @default the model's own; 100_000 when that is unknown */
  readonly maxContextTokens?: number | undefined
  /** Tokens reserved for instructions and tools, when they have fewer. @default 4_000 */
  readonly systemPromptTokens?: number | undefined
  /** Share of the window below which headroom is measured. @default 0.9 */
  readonly compactAtPct?: number | undefined
  /** Headroom, as a share of the window, below which it compacts. @default 0.05 */
  readonly compactBudgetThresholdPct?: number | undefined
  /** Earlier runs of the session that stay, summarised: so many, or as many as the window would hold as they were. @default 3 */
  readonly scope?: number | 'token-budget' | undefined
  /** Turns of the current run that stay from its start. @default 2 */
  readonly keepFirstTurns?: number | undefined
  /** Turns that stay from the end. @default 10 */
  readonly keepRecentTurns?: number | undefined
  /** For everything that is summarised, together. @default 2_000 */
  readonly maxSummaryTokens?: number | undefined
  /** Lines of one tool's output in the recent turns; half of them from its start. @default 50 */
  readonly toolOutputMaxLines?: number | undefined
  /** Put in front of the summary. @default none */
  readonly focusMessage?: string | undefined
  /** Writes the summaries. @default turnDigest, which asks no model */
  readonly summary?: Summarizer | undefined
}

const DEFAULT_WINDOW = 100_000

/**
 * Keeps the first and the recent turns of the current run, cuts tool output in the recent ones, and summarises what is
 * between them and the runs before. Made anew from the whole log each time, so no summary is ever of a summary. Where
 * that is not enough, fewer turns stay; what the model has not read yet stays always.
 * @throws ParleyError `config-invalid`.
 */
export function phiCompaction(options: PhiCompactionOptions = {}): ContextPolicy {
  checkOptions('phiCompaction', options, {
    maxContextTokens: 'count',
    systemPromptTokens: 'whole',
    compactAtPct: 'share',
    compactBudgetThresholdPct: 'share',
    scope: 'scope',
    keepFirstTurns: 'whole',
    keepRecentTurns: 'count',
    maxSummaryTokens: 'count',
    toolOutputMaxLines: 'count',
    focusMessage: 'string',
    summary: 'function',
    beforeCompaction: 'function',
  })
  const { maxContextTokens, systemPromptTokens = 4_000, compactAtPct = 0.9, compactBudgetThresholdPct = 0.05 } = options
  if (compactAtPct <= compactBudgetThresholdPct) {
    const detail = `is ${compactAtPct}, it must be above compactBudgetThresholdPct (${compactBudgetThresholdPct})`
    throw new ParleyError({ code: 'config-invalid', path: 'phiCompaction.compactAtPct', detail })
  }
  const { scope = 3, keepFirstTurns = 2, keepRecentTurns = 10, toolOutputMaxLines = 50 } = options
  const { maxSummaryTokens = 2_000, focusMessage: focus, summary = turnDigest, beforeCompaction = () => true } = options
  const keep = { scope, keepFirstTurns, keepRecentTurns, toolOutputMaxLines }
  const windowOf = (view: ContextView): number => maxContextTokens ?? view.window ?? DEFAULT_WINDOW
  const shareOf = (view: ContextView): number => {
    const window = windowOf(view)
    return Math.round(window * compactAtPct - window * compactBudgetThresholdPct)
  }
  /** Of the whole call; what is reserved for instructions and not used by them stays free. */
  function limitOf(view: ContextView): number {
    return shareOf(view) - Math.max(systemPromptTokens - view.fixedTokens, 0)
  }
  /** How it is laid out within the limit; undefined when that would be no less than what is sent now. */
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
      // Before anything is counted: the limit is never below this.
      if (!view.exceeds(shareOf(view) - systemPromptTokens)) return false
      const limit = limitOf(view)
      return view.exceeds(limit) && layoutOf(view, limit) !== undefined && beforeCompaction(view)
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
    old.length === 0 ? [] : [await summarized(request, old, { ...options, maxTokens })]
  return [...earlier.kept, ...(await sum(earlier)), ...first, ...(await sum(middle)), ...middle.kept, ...recent]
}
