import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { encodeJson } from './encode-json.ts'

const unit = fc.constantFrom('a', '"', '\\', '\n', '\u2028', '😀', '\ud800', 'é', '€')
/** Texts around the length at which they are split. */
const long = fc
  .tuple(fc.array(unit, { minLength: 1, maxLength: 7 }), fc.integer({ min: 65_530, max: 131_080 }))
  .map(([units, length]) => units.join('').repeat(length).slice(0, length))
const leaf = fc.oneof(long, fc.string(), fc.double(), fc.constant(null), fc.constant(undefined))
const value = fc.dictionary(fc.string(), fc.oneof(leaf, fc.array(leaf, { maxLength: 3 })), { maxKeys: 4 })

it('encodeJson returns the bytes of JSON.stringify for any value with long texts', async () => {
  await fc.assert(
    fc.asyncProperty(value, async each => {
      expect(Buffer.from(await encodeJson(each)).toString() === JSON.stringify(each)).toBe(true)
    }),
    { numRuns: 30 },
  )
})

it('encodeJson gives the event loop its turn while it encodes a long text', async () => {
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await encodeJson(['x'.repeat(4_000_000)])
  isOver = true
  expect(turns).toBeGreaterThan(3)
})
