import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compose, type Wrap } from './compose.ts'

/** Wrappers that change the call, the result, both, or answer without calling on. */
const wrap: fc.Arbitrary<Wrap<string, string>> = fc
  .record({ name: fc.constantFrom('a', 'b', 'c', 'd'), stops: fc.boolean() })
  .map(
    ({ name, stops }) =>
      (call, next) =>
        stops && call.length % 3 === 0 ? name : `${name}(${next(call + name)})`,
  )
const wraps = fc.array(wrap, { maxLength: 5 })
const innermost = (call: string): string => `[${call}]`

describe('compose', () => {
  it('the first wrapper of compose receives the call first and the result last', () => {
    const trace: string[] = []
    const traced =
      (name: string): Wrap<number, number> =>
      (call, next) => {
        trace.push(`${name} ${call}`)
        const result = next(call + 1)
        trace.push(`${name} ${result}`)
        return result * 2
      }
    expect(compose([traced('a'), traced('b')], call => call * 10)(1)).toBe(120)
    expect(trace).toEqual(['a 1', 'b 2', 'b 30', 'a 60'])
  })

  it('compose without wrappers returns the innermost function', () => {
    expect(compose([], innermost)).toBe(innermost)
  })

  it('a wrapper that only calls next does not change the result of compose', () => {
    fc.assert(
      fc.property(wraps, wraps, fc.string(), (before, after, call) => {
        const idle: Wrap<string, string> = (each, next) => next(each)
        const composed = compose([...before, idle, ...after], innermost)
        expect(composed(call)).toBe(compose([...before, ...after], innermost)(call))
      }),
    )
  })

  it('the result of compose does not depend on how the wrappers are grouped', () => {
    fc.assert(
      fc.property(wraps, wraps, fc.string(), (outer, inner, call) => {
        const grouped = compose(outer, compose(inner, innermost))
        expect(grouped(call)).toBe(compose([...outer, ...inner], innermost)(call))
      }),
    )
  })
})
