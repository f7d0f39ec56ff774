import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeData } from '../index.ts'

const object = fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })

describe('mergeData', () => {
  it('mergeData merges values by their type', () => {
    const base = { s: 'a', n: 1, b: true, l: [1], o: { s: 'x', n: 1 }, t: 'text', z: null }
    const delta = { s: 'b', n: 0.5, b: false, l: [2], o: { s: 'y', w: 1 }, t: 5, z: 'v', k: null }
    expect(mergeData(base, delta)).toEqual({
      s: 'ab',
      n: 1.5,
      b: false,
      l: [1, 2],
      o: { s: 'xy', n: 1, w: 1 },
      t: 5,
      z: 'v',
      k: null,
    })
  })

  it('mergeData changes neither argument, and merging with nothing is neutral', () => {
    fc.assert(
      fc.property(object, object, (base, delta) => {
        const before = JSON.stringify([base, delta])
        mergeData(base, delta)
        expect(JSON.stringify([base, delta])).toBe(before)
        expect(mergeData(null, delta)).toEqual(delta)
        expect(mergeData(base, {})).toEqual(base)
      }),
    )
  })

  it('mergeData treats __proto__ as an ordinary key', () => {
    const merged = mergeData({}, JSON.parse('{"__proto__":{"admin":true}}') as Record<string, unknown>)
    expect(JSON.stringify(merged)).toBe('{"__proto__":{"admin":true}}')
    expect('admin' in merged).toBe(false)
  })
})
