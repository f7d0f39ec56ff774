import { checkOptions, type Cost, type OptionKinds, type Usage } from '@parley/core'
import { runBranch, spentBy, type Branch, type BranchHost, type BranchResult } from './branch.ts'
import { runBranches } from './run-branches.ts'

export interface FanOutOptions<TMerged> {
  /** Maximum number of branches that run at the same time. @default 4 */
  readonly concurrency?: number | undefined
  /** `fail-fast` stops the other branches when one branch fails, is cancelled or reaches a limit. @default 'continue' */
  readonly onFailure?: 'continue' | 'fail-fast' | undefined
  /** Combines all results, in the order of the branches. Not called after `fail-fast` stopped the branches. @default none */
  readonly merge?: ((results: readonly BranchResult[]) => Promise<TMerged> | TMerged) | undefined
  /** Aborting it stops all branches. @default none */
  readonly signal?: AbortSignal | undefined
}

export interface FanOutResult<TMerged> {
  /** Results in the order of the branches. */
  readonly results: readonly BranchResult[]
  /** Index of the branch whose failure stopped the others. Set only with `fail-fast`. */
  readonly failedFirst: number | undefined
  /** The return value of `merge`. `undefined` without `merge`, or if it was not called. */
  readonly merged: TMerged | undefined
  /** Tokens of all branches together. */
  readonly usage: Usage
  /** Sum of the known costs. `undefined` if none is known. */
  readonly cost: Cost | undefined
}

const OPTIONS: OptionKinds<FanOutOptions<unknown>> = {
  concurrency: 'number',
  onFailure: ['continue', 'fail-fast'],
  merge: 'function',
  signal: 'signal',
}

/**
 * Runs several agents concurrently, in a runtime or as child runs of a tool handler. A failed branch is a result and does not
 * reject the promise. An error of `merge` does.
 * @throws ParleyError `config-invalid` if `concurrency` is not a positive integer; in a handler `run-suspended`, which the
 * handler must not catch.
 */
export async function fanOut<TMerged = undefined>(
  host: BranchHost,
  branches: readonly Branch[],
  options: FanOutOptions<TMerged> = {},
): Promise<FanOutResult<TMerged>> {
  checkOptions('fanOut', options, OPTIONS)
  const { concurrency = 4, onFailure = 'continue', merge, signal } = options
  const decides = (result: BranchResult): boolean => onFailure === 'fail-fast' && hasFailed(result)
  const { results, deciding: failedFirst } = await runBranches(
    (branch, stop) => runBranch(host, branch, stop),
    branches,
    { concurrency, signal, decides },
  )
  const merged = failedFirst === undefined ? await merge?.(results) : undefined
  return { results, failedFirst, merged, ...spentBy(results) }
}

/** Whether a branch ended without completing. A branch that is suspended for approval has not ended, and a skipped one never began. */
function hasFailed({ status }: BranchResult): boolean {
  return status !== 'completed' && status !== 'suspended' && status !== 'skipped'
}
