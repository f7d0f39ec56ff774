import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { canonicalJson } from './canonical-json.ts'

/** Returns the value with the keys of its objects in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, part]): [string, unknown] => [key, reversed(part)])
  return Object.fromEntries(entries.toReversed())
}

it('canonicalJson is the same for equal values whatever the order of their keys, and keeps the value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      const plain: unknown = JSON.parse(JSON.stringify(value))
      expect(canonicalJson(reversed(plain))).toBe(canonicalJson(plain))
      expect(JSON.parse(canonicalJson(plain))).toEqual(plain)
    }),
  )
})
