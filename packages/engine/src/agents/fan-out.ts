import type { Cost, Usage } from '@parley/core'
import type { Branch, BranchHost, BranchResult } from './branch.ts'
import { runBranches } from './run-branches.ts'
import { sumOf } from './sum-of.ts'

export interface FanOutOptions<TMerged> {
  /** Most branches at once. @default 4 */
  readonly concurrency?: number | undefined
  /** `fail-fast` stops the others as soon as one ends otherwise than completed. @default 'continue' */
  readonly onFailure?: 'continue' | 'fail-fast' | undefined
  /** Makes one of all results, in the order of the branches. Not called when `fail-fast` has stopped them. @default none */
  readonly merge?: ((results: readonly BranchResult[]) => Promise<TMerged> | TMerged) | undefined
  /** Stops all branches. */
  readonly signal?: AbortSignal | undefined
}

export interface FanOutResult<TMerged> {
  /** In the order of the branches. */
  readonly results: readonly BranchResult[]
  /** The branch whose failure has stopped the others; undefined unless `onFailure` is `fail-fast`. */
  readonly failedFirst: number | undefined
  /** What `merge` made of them. */
  readonly merged: TMerged | undefined
  /** Of all branches together. */
  readonly usage: Usage
  readonly cost: Cost | undefined
}

/**
 * Lets several agents work at the same time, in a runtime or, given a handler's context, for its call. A branch that
 * fails is a result, not a throw.
 * @throws ParleyError `config-invalid`; in a handler `run-suspended`, which it should let pass. And what `merge` throws.
 */
export async function fanOut<TMerged = undefined>(
  host: BranchHost,
  branches: readonly Branch[],
  { concurrency = 4, onFailure = 'continue', merge, signal }: FanOutOptions<TMerged> = {},
): Promise<FanOutResult<TMerged>> {
  const decides = (result: BranchResult): boolean => onFailure === 'fail-fast' && hasFailed(result)
  const { results, deciding: failedFirst } = await runBranches(host, branches, { concurrency, signal, decides })
  const merged = failedFirst === undefined ? await merge?.(results) : undefined
  return { results, failedFirst, merged, ...sumOf(results) }
}

/** A branch that waits for a person has not failed. */
function hasFailed({ status }: BranchResult): boolean {
  return status !== 'completed' && status !== 'suspended' && status !== 'skipped'
}
