import { checkCount } from '@parley/core'
import { SKIPPED, type Branch, type BranchResult, type StartBranch } from './branch.ts'

export interface RunBranchesOptions {
  /** Maximum number of branches that run at the same time. */
  readonly concurrency: number
  readonly signal: AbortSignal | undefined
  /** Returns whether this result decides the outcome. The other branches are then stopped. */
  readonly decides: (result: BranchResult) => boolean
}

export interface BranchResults {
  /** Results in the order of the branches. */
  readonly results: readonly BranchResult[]
  /** Index of the branch whose result decided the outcome. */
  readonly deciding: number | undefined
}

/**
 * Runs branches concurrently and starts them in their order.
 * @throws ParleyError `config-invalid` if `concurrency` is not a positive integer; `run-suspended` after every branch has
 * stopped, if one of them is suspended for approval.
 */
export async function runBranches(
  start: StartBranch,
  branches: readonly Branch[],
  { concurrency, signal, decides }: RunBranchesOptions,
): Promise<BranchResults> {
  checkCount({ concurrency }, '')
  const decided = new AbortController()
  const stop = signal === undefined ? decided.signal : AbortSignal.any([decided.signal, signal])
  const results: BranchResult[] = branches.map(() => SKIPPED)
  const queue = branches.entries()
  let deciding: number | undefined
  let suspended: { readonly error: unknown } | undefined

  async function work(): Promise<void> {
    // All workers share the iterator, so each branch is taken once.
    for (const [index, branch] of queue) {
      if (stop.aborted) return
      try {
        const result = await start(branch, stop)
        results[index] = result
        if (deciding !== undefined || !decides(result)) continue
        deciding = index
        decided.abort(new Error(`branch ${index + 1} has decided`))
      } catch (error) {
        suspended ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, branches.length) }, work))
  if (suspended !== undefined) throw suspended.error
  return { results, deciding }
}
