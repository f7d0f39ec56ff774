import type { RunResult } from '@parley/engine'
import { expect, expectTypeOf, it } from 'vitest'
import './vitest.ts'

it('the matchers have types in Vitest, also behind promises and `not`', () => {
  const result = {} as RunResult
  expectTypeOf(expect(result).toHaveCalledTool).parameters.toEqualTypeOf<[name: string, input?: unknown]>()
  expectTypeOf(expect(result).not.toHaveCompleted).parameters.toEqualTypeOf<[]>()
  expectTypeOf(expect(result).toHaveCostAtMost).parameter(0).toEqualTypeOf<number>()
})
