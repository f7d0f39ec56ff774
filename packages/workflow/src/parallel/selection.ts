import { ParleyError, totalTokens, type UserMessage } from '@parley/core'
import type { Agent } from '@parley/engine'
import type { BranchResult, CompletedBranch } from './branch.ts'

/** A completed branch and its index among all branches. */
export interface Candidate {
  readonly index: number
  readonly result: CompletedBranch
}

export interface SelectionContext {
  /** The message to every branch. */
  readonly input: string | UserMessage
  /** Asks an agent. Its usage is counted separately from the branches. */
  readonly ask: (agent: Agent, input: string) => Promise<BranchResult>
}

/**
 * Chooses one of the completed branches and returns its `index`. `candidates` is never empty. If a selection throws, or
 * returns the index of a branch that did not complete, `bestOf` returns `failed`.
 */
export type Selection = (candidates: readonly Candidate[], context: SelectionContext) => Promise<number> | number

/**
 * - `only-one`: chooses the only branch. There must be exactly one.
 * - `first`: chooses the branch that completes first and stops the others.
 * - `cheapest`: chooses the lowest cost if all costs are known, otherwise the fewest tokens. Among equals, the first
 *   one is chosen.
 * - `most-elaborate`: chooses the most tokens. Among equals, the last one is chosen.
 */
export type SelectionName = 'only-one' | 'first' | 'cheapest' | 'most-elaborate'

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

/**
 * Checks a strategy.
 * @throws ParleyError `config-invalid` if the strategy is unknown or does not suit this number of branches.
 */
export function checkSelection(strategy: SelectionName | Selection, count: number): void {
  const refuse = (path: string, detail: string): never => {
    throw new ParleyError({ code: 'config-invalid', path, detail })
  }
  if (typeof strategy === 'string' && !Object.hasOwn(SELECTIONS, strategy)) {
    refuse('strategy', `is '${strategy}'; must be a function or one of ${Object.keys(SELECTIONS).join(', ')}`)
  }
  if (count === 0) refuse('candidates', 'must contain at least one agent')
  if (strategy === 'only-one' && count !== 1)
    refuse('candidates', `contain ${count} agents; 'only-one' requires exactly one`)
}
