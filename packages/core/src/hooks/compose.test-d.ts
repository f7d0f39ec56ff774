import { expectTypeOf, it } from 'vitest'
import { compose, type Wrap } from '../index.ts'

it('composes wrappers of one call and one result into a function of the same shape', () => {
  const wraps: readonly Wrap<number, string>[] = []
  expectTypeOf(compose(wraps, call => call.toFixed())).toEqualTypeOf<(call: number) => string>()
})

it('refuses a wrapper of another call', () => {
  const wrap: Wrap<string, string> = (call, next) => next(call)
  // @ts-expect-error -- the wrapper takes text, the function a number
  compose([wrap], (call: number) => call.toFixed())
})
