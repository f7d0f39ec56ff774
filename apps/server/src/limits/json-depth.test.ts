import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonDepth } from './json-depth.ts'

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

it('jsonDepth measures the nesting of any JSON and ignores brackets inside strings', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      expect(jsonDepth(JSON.stringify(value), 1_000)).toBe(depthOf(value))
    }),
  )
  expect(jsonDepth('["[\\"[", {}]', 10)).toBe(2)
})

it('jsonDepth stops at one level above the limit', () => {
  expect(jsonDepth('['.repeat(1_000_000), 64)).toBe(65)
})
