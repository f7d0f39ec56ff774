import { addCost, addUsage, ZERO_USAGE, type CompactionRequest, type Cost, type Usage } from '@parley/core'
import { askModel } from './ask-model.ts'
import type { RunContext } from '../../run-context/run-context.ts'
import type { ActionOf } from '../../journal/decide.ts'
import type { RunView } from '../../run-context/view/run-view.ts'

/** Usage of the policy's own model calls so far. */
export interface Spent {
  usage: Usage
  cost: Cost | undefined
}

/**
 * Share of the size to keep after an overflow. It is low, because the size is an estimate and only one more attempt is
 * made.
 */
const SHARE_AFTER_OVERFLOW = 2 / 3

/** The request for a context policy. The transcript does not grow while the policy works. */
export function openCompaction(
  run: RunContext,
  view: RunView,
  { turn, trigger }: Pick<ActionOf<'compact'>, 'turn' | 'trigger'>,
): { readonly request: CompactionRequest; readonly spent: Spent } {
  const spent: Spent = { usage: ZERO_USAGE, cost: undefined }
  const { model } = run.agent.definition
  const { budget = Infinity } = view
  const request: CompactionRequest = {
    trigger,
    model,
    signal: run.stopper.signal,
    length: view.length,
    groups: view.groups,
    get log() {
      return view.log
    },
    get fixedTokens() {
      return view.fixedTokens
    },
    window: view.window,
    budget: trigger === 'overflow' ? Math.floor(Math.min(budget, view.tokens() * SHARE_AFTER_OVERFLOW)) : view.budget,
    tokens: () => view.tokens(),
    exceeds: limit => view.exceeds(limit),
    count: messages => view.count(messages),
    async ask(question, asked = model) {
      // After a crash the journal explains what the call was for.
      await run.journal.commit()
      const spend = (usage: Usage, cost: Cost | undefined): void => {
        spent.usage = addUsage(spent.usage, usage)
        spent.cost = addCost(spent.cost, cost)
      }
      return askModel(run, { turn, model: asked, request: question, spend })
    },
  }
  return { request, spent }
}
