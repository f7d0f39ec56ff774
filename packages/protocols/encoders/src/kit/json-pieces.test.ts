import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { encodeLine, jsonPieces, jsonSize, PIECE_CHARS } from './json-pieces.ts'

const unit = fc.constantFrom('a', '"', '\\', '\n', '\u2028', '\u0085', '😀', '\ud800', 'é')
/** Texts around the length at which they are split. */
const long = fc
  .tuple(fc.array(unit, { minLength: 1, maxLength: 7 }), fc.integer({ min: PIECE_CHARS - 9, max: PIECE_CHARS * 2 + 9 }))
  .map(([units, length]) => units.join('').repeat(length).slice(0, length))
const leaf = fc.oneof(long, fc.string(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null))
const value = fc.oneof(
  leaf,
  fc.array(fc.oneof(leaf, fc.constant(undefined)), { maxLength: 4 }),
  fc.dictionary(fc.string(), fc.oneof(leaf, fc.constant(undefined), fc.array(leaf, { maxLength: 3 })), { maxKeys: 4 }),
)

it('the pieces of a value are together its JSON, and none of them is long', () => {
  fc.assert(
    fc.property(value, each => {
      const pieces = [...jsonPieces(each)]
      expect(pieces.join('')).toBe(encodeLine(each))
      // Each character takes at most six in JSON.
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(PIECE_CHARS * 8)
    }),
    { numRuns: 60 },
  )
})

it('a value of many small parts is encoded in pieces of about the same length', () => {
  const list = Array.from({ length: 50_000 }, (_, index) => ({ index, name: `part ${index}` }))
  const pieces = [...jsonPieces({ list })]
  expect(pieces.join('')).toBe(JSON.stringify({ list }))
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(PIECE_CHARS * 2)
})

it('jsonSize stops counting above its limit', () => {
  let read = 0
  const parts = Array.from({ length: 1_000 }, () => ({
    get text() {
      read++
      return 'x'.repeat(100)
    },
  }))
  expect(jsonSize(parts, 1_000)).toBeGreaterThan(1_000)
  expect(read).toBeLessThan(20)
})
