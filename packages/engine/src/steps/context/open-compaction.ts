import { addCost, addUsage, ZERO_USAGE, type CompactionRequest, type Cost, type Usage } from '@parley/core'
import { askModel } from './ask-model.ts'
import type { RunContext } from '../../run-context/run-context.ts'
import type { ActionOf } from '../../journal/decide.ts'
import type { RunView } from '../../run-context/view/run-view.ts'

/** What the policy's own model calls have used so far. */
export interface Spent {
  usage: Usage
  cost: Cost | undefined
}

/** What a refused call is brought down to: its size was an estimate, and there is only one more try. */
const SHARE_AFTER_OVERFLOW = 2 / 3

/** What a policy is given to work with. The log does not grow meanwhile. */
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
      // What led here is on disk before anything is spent on it.
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
