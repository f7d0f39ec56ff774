import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { includesJson } from './includes-json.ts'
import type { MadeCall } from './made-call.ts'
import { matchCalls, type CallMatch, type WantedCall } from './match-calls.ts'

const call = (name: string, input: MadeCall['input'] = {}): MadeCall => ({ name, input, result: 'x', isError: false })
const names = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 6 })
const made = names.map(list => list.map(name => call(name)))

describe('matchCalls', () => {
  it.each<[CallMatch, readonly string[], boolean]>([
    ['exact', ['a', 'b', 'a'], true],
    ['exact', ['a', 'b'], false],
    ['exact', ['b', 'a', 'a'], false],
    ['in-order', ['a', 'a'], true],
    ['in-order', ['b', 'b'], false],
    ['in-order', [], true],
    ['superset', ['b', 'a'], true],
    ['superset', ['b', 'b'], false],
    ['subset', ['b', 'a', 'a', 'c'], true],
    ['subset', ['a', 'b'], false],
  ])('matchCalls compares the calls a, b, a as %s with %j: %s', (match, wanted, expected) => {
    expect(matchCalls([call('a'), call('b'), call('a')], wanted, match)).toBe(expected)
  })

  it('matchCalls assigns a call that fits several wanted ones to the one that no other fits', () => {
    const calls = [call('a', { x: 1, y: 1 }), call('a', { x: 1 })]
    const wanted: readonly WantedCall[] = [
      { name: 'a', input: { x: 1 } },
      { name: 'a', input: { y: 1 } },
    ]
    expect(matchCalls(calls, wanted, 'superset')).toBe(true)
    expect(matchCalls(calls, wanted, 'subset')).toBe(true)
    expect(matchCalls(calls, wanted, 'exact')).toBe(false)
  })

  it('matchCalls is true for the calls themselves, and exact implies the others', () => {
    fc.assert(
      fc.property(made, names, (calls, wanted) => {
        const own = calls.map(({ name }) => name)
        for (const match of ['exact', 'in-order', 'superset', 'subset'] as const)
          expect(matchCalls(calls, own, match)).toBe(true)
        if (matchCalls(calls, wanted, 'exact')) expect(own).toEqual(wanted)
        // In order implies superset; both supersets mean the same calls in some order.
        if (matchCalls(calls, wanted, 'in-order')) expect(matchCalls(calls, wanted, 'superset')).toBe(true)
        const both = matchCalls(calls, wanted, 'superset') && matchCalls(calls, wanted, 'subset')
        expect(both).toBe(own.toSorted().join() === wanted.toSorted().join())
      }),
    )
  })
})

describe('includesJson', () => {
  it('includesJson accepts further fields at any depth, and no other list', () => {
    expect(includesJson({ a: { b: 1, c: 2 }, d: [] }, { a: { b: 1 } })).toBe(true)
    expect(includesJson({ a: [{ b: 1, c: 2 }] }, { a: [{ b: 1 }] })).toBe(true)
    expect(includesJson({ a: [1, 2] }, { a: [1] })).toBe(false)
    expect(includesJson({ a: 1 }, { b: undefined })).toBe(false)
    expect(includesJson([], {})).toBe(false)
    expect(includesJson({}, { toString: 1 })).toBe(false)
    expect(includesJson('a', 'a')).toBe(true)
  })
})
