import { expectTypeOf, it } from 'vitest'
import type { CompletedDelegate, DelegateResult, Json } from '../index.ts'

it('a child run has a text and an output only after a check of its status', () => {
  const read = (result: DelegateResult): unknown => {
    // @ts-expect-error -- a child run that did not complete has no text
    void result.text
    // @ts-expect-error -- a child run that did not complete has no output
    void result.output
    switch (result.status) {
      case 'completed':
        expectTypeOf(result).toEqualTypeOf<CompletedDelegate>()
        expectTypeOf(result.text).toEqualTypeOf<string>()
        expectTypeOf(result.output).toEqualTypeOf<Json | undefined>()
        return result.finish
      case 'limit':
        return result.hit
      case 'cancelled':
        return result.reason
      case 'rejected':
        return result.filter
      case 'failed':
        expectTypeOf(result.partialText).toEqualTypeOf<string>()
        // @ts-expect-error -- the text of a run that did not complete is not an answer
        void result.text
        return result.error
    }
  }
  expectTypeOf(read).returns.toBeUnknown()
})
