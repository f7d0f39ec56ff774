import { ParleyError } from '@parley/core'
import { onAbort } from '../run-context/on-abort.ts'
import { runBranch, SKIPPED, type Branch, type BranchHost, type BranchResult } from './branch.ts'

export interface RunBranchesOptions {
  readonly concurrency: number
  readonly signal: AbortSignal | undefined
  /** Whether this result makes the other branches pointless: they are stopped then. */
  readonly decides: (result: BranchResult) => boolean
}

export interface BranchResults {
  /** In the order of the branches. */
  readonly results: readonly BranchResult[]
  /** The branch that made the others pointless. */
  readonly deciding: number | undefined
}

/**
 * Runs branches, so many at once, begun in their order.
 * @throws ParleyError `config-invalid` for a concurrency that is no number of branches; `run-suspended`, once no branch
 * goes on any more.
 */
export async function runBranches(
  host: BranchHost,
  branches: readonly Branch[],
  { concurrency, signal, decides }: RunBranchesOptions,
): Promise<BranchResults> {
  if (!(Number.isInteger(concurrency) && concurrency > 0)) {
    const detail = `is ${concurrency}, it must be a whole number above 0`
    throw new ParleyError({ code: 'config-invalid', path: 'concurrency', detail })
  }
  const controller = new AbortController()
  const unlink = onAbort(signal, reason => controller.abort(reason))
  const results: BranchResult[] = branches.map(() => SKIPPED)
  const waiting = branches.entries()
  let deciding: number | undefined
  let suspended: { readonly error: unknown } | undefined

  async function work(): Promise<void> {
    // The iterator is shared: each branch is taken by one worker.
    for (const [index, branch] of waiting) {
      if (controller.signal.aborted) return
      try {
        const result = await runBranch(host, branch, controller.signal)
        results[index] = result
        if (deciding !== undefined || !decides(result)) continue
        deciding = index
        controller.abort(new Error(`branch ${index + 1} has decided`))
      } catch (error) {
        suspended ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, branches.length) }, work))
  unlink()
  if (suspended !== undefined) throw suspended.error
  return { results, deciding }
}
