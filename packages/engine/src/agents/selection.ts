import { ParleyError, totalTokens, type UserMessage } from '@parley/core'
import type { Agent } from '../agent/agent.ts'
import type { BranchResult } from './branch.ts'

/** A branch that has completed, and its place among all of them. */
export interface Candidate {
  readonly index: number
  readonly result: BranchResult & { readonly status: 'completed' }
}

export interface SelectionContext {
  /** What every branch was asked. */
  readonly input: string | UserMessage
  /** Asks an agent about it; what that uses is counted apart from the branches. */
  readonly ask: (agent: Agent, input: string) => Promise<BranchResult>
}

/**
 * Chooses among the branches that completed, of which there is at least one, and returns the `index` of its choice.
 * Throws a ParleyError when it cannot.
 */
export type Selection = (candidates: readonly Candidate[], context: SelectionContext) => Promise<number> | number

/**
 * - `only-one`: there is exactly one branch, and it is chosen.
 * - `first`: whichever completes first; the others are stopped.
 * - `cheapest`: the least cost, where that is known of all, else the fewest tokens; the first of equals.
 * - `most-elaborate`: the most tokens; the last of equals.
 */
export type SelectionName = 'only-one' | 'first' | 'cheapest' | 'most-elaborate'

/** How the branches are chosen from, and how many there may be. */
export const SELECTIONS: Readonly<Record<SelectionName, Selection>> = {
  'only-one': takeFirst,
  first: takeFirst,
  cheapest(candidates) {
    const priced = candidates.every(({ result }) => result.cost !== undefined)
    const price = ({ result }: Candidate): number => (priced ? (result.cost?.usd ?? 0) : totalTokens(result.usage))
    return best(candidates, (one, other) => price(other) < price(one))
  },
  'most-elaborate': candidates =>
    best(candidates, (one, other) => totalTokens(other.result.usage) >= totalTokens(one.result.usage)),
}

function takeFirst(candidates: readonly Candidate[]): number {
  return best(candidates, () => false)
}

function best(candidates: readonly Candidate[], isBetter: (one: Candidate, other: Candidate) => boolean): number {
  return candidates.reduce((one, other) => (isBetter(one, other) ? other : one)).index
}

/** @throws ParleyError `config-invalid` for a name that is none, and for a number of branches it has no use for. */
export function checkSelection(strategy: SelectionName | Selection, count: number): void {
  const refuse = (path: string, detail: string): never => {
    throw new ParleyError({ code: 'config-invalid', path, detail })
  }
  if (typeof strategy === 'string' && !Object.hasOwn(SELECTIONS, strategy)) {
    refuse('strategy', `is '${strategy}', it must be a function or one of ${Object.keys(SELECTIONS).join(', ')}`)
  }
  if (count === 0) refuse('candidates', 'are none')
  if (strategy === 'only-one' && count !== 1) refuse('candidates', `are ${count}, 'only-one' takes exactly one`)
}
