import { checkOptions, type OptionKinds } from '@parley/core'
import {
  isWanted,
  matchCalls,
  showCalls,
  showWanted,
  type CallMatch,
  type WantedCall,
} from '../../trajectory/match-calls.ts'
import { defineScorer, SCORER_OPTIONS, type Scorer, type ScorerOptions } from './scorer.ts'

/** Options of `calledTools`. */
export interface CalledToolsOptions extends ScorerOptions {
  /** How the calls must relate to the wanted ones. @default 'in-order' */
  readonly match?: CallMatch | undefined
}

const OPTIONS: OptionKinds<CalledToolsOptions> = {
  ...SCORER_OPTIONS,
  match: ['exact', 'in-order', 'superset', 'subset'],
}

/** Whether the agent called a tool. With `input`, the arguments of a call must have these fields and may have others. */
export function calledTool(name: string, input?: unknown, options: ScorerOptions = {}): Scorer {
  checkOptions('calledTool', options, SCORER_OPTIONS)
  const wanted = { name, input }
  return defineScorer({
    name: options.name ?? `calledTool ${name}`,
    threshold: options.threshold,
    score({ run: { calls } }) {
      const isCalled = calls.some(call => isWanted(call, wanted))
      return { score: isCalled, reason: isCalled ? undefined : `called ${showCalls(calls)}` }
    },
  })
}

/** Whether the tool calls of the agent are the wanted ones, in the sense of `match`. */
export function calledTools(wanted: readonly WantedCall[], options: CalledToolsOptions = {}): Scorer {
  checkOptions('calledTools', options, OPTIONS)
  const { match = 'in-order', ...others } = options
  return defineScorer({
    name: others.name ?? 'calledTools',
    threshold: others.threshold,
    score({ run: { calls } }) {
      const isMatch = matchCalls(calls, wanted, match)
      const reason = isMatch ? undefined : `called ${showCalls(calls)}; wanted (${match}): ${showWanted(wanted)}`
      return { score: isMatch, reason }
    },
  })
}
