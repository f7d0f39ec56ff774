import { canonicalJson } from '@parley/core'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fingerprint } from './fingerprint.ts'

describe('fingerprint', () => {
  it('fingerprint is the same for equal values, whatever the order of their keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        const copy: unknown = JSON.parse(canonicalJson(value))
        expect(fingerprint(copy)).toBe(fingerprint(JSON.parse(JSON.stringify(value))))
      }),
    )
    expect(fingerprint({ b: [1, { d: 'x', c: null }], a: true })).toBe(
      fingerprint({ a: true, b: [1, { c: null, d: 'x' }] }),
    )
  })

  it('fingerprint differs for arguments that differ in a number, a letter, a key or their order', () => {
    const numbers = [{ page: 1 }, { page: 2 }, { page: 1.5 }, { list: [1, 2] }, { list: [2, 1] }]
    const values = [...numbers, { q: 'a1' }, { q: 'a2' }, { from: 1, to: 2 }, { from: 2, to: 1 }, { a: 1 }, { ab: 1 }]
    expect(new Set(values.map(fingerprint)).size).toBe(values.length)
  })
})
