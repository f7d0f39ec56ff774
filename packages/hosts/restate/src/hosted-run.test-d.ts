import type { Json } from '@parley/core'
import { expectTypeOf, it } from 'vitest'
import type { HostedResult } from './index.ts'

it('the result of a run on Restate has a text and an output only after a check of its status', () => {
  const read = (result: HostedResult): string => {
    // @ts-expect-error -- a run that did not complete has no text
    void result.text
    if (result.status !== 'completed') return `${result.sessionId}: ${result.partialText}`
    expectTypeOf(result.output).toEqualTypeOf<Json | undefined>()
    return result.text
  }
  expectTypeOf(read).returns.toEqualTypeOf<string>()
})
