import { expect, it } from 'vitest'
import { errorStack } from './error-stack.ts'

it('errorStack has the stack of the error and of each cause', () => {
  const text = errorStack(new Error('outer', { cause: new TypeError('inner') })) ?? ''
  expect(text).toMatch(/^Error: outer\n {4}at /)
  expect(text).toMatch(/\n\[cause\]: TypeError: inner\n {4}at .*error-stack\.test/)
})

it('errorStack is undefined for a value that is not an error', () => {
  expect([errorStack('text'), errorStack(undefined)]).toEqual([undefined, undefined])
})

it('errorStack is short for a cycle of causes and for a long message', () => {
  const cycle = new Error('x'.repeat(10_000))
  cycle.cause = cycle
  expect(errorStack(cycle)).toHaveLength(8_000)
})
