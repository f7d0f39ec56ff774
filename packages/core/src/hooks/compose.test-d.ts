import { expectTypeOf, it } from 'vitest'
import { compose, type Wrap } from '../index.ts'

it('compose turns wrappers of one call and result type into a function of these types', () => {
  const wraps: readonly Wrap<number, string>[] = []
  expectTypeOf(compose(wraps, call => call.toFixed())).toEqualTypeOf<(call: number) => string>()
})

it('compose rejects a wrapper with another call type', () => {
  const wrap: Wrap<string, string> = (call, next) => next(call)
  // @ts-expect-error -- the wrapper takes text, the function a number
  compose([wrap], (call: number) => call.toFixed())
})
