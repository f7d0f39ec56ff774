import { expectTypeOf, it } from 'vitest'
import type { BestOfResult, BranchResult, CompletedBranch, IncompleteBranch } from './index.ts'

it('a branch has a text and an output only after a check of its status', () => {
  const read = (result: BranchResult): string => {
    // @ts-expect-error -- a branch that did not complete has no text
    void result.text
    if (result.status !== 'completed') {
      expectTypeOf(result).toEqualTypeOf<IncompleteBranch>()
      return result.partialText
    }
    expectTypeOf(result).toEqualTypeOf<CompletedBranch>()
    return result.text
  }
  expectTypeOf(read).returns.toEqualTypeOf<string>()
})

it('the chosen candidate has a text without another check', () => {
  const read = (best: BestOfResult): string | undefined => {
    if (best.status !== 'selected') return undefined
    return best.winner.text
  }
  expectTypeOf(read).returns.toEqualTypeOf<string | undefined>()
})
