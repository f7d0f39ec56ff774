import type { Json } from '../schema/json.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PartialJson } from './partial-json.ts'

function read(...pieces: readonly string[]): Json | undefined {
  const json = new PartialJson()
  for (const piece of pieces) json.push(piece)
  return json.snapshot()
}

/** Tells whether `part` is a valid partial view of `whole`. */
function isBeginningOf(part: Json, whole: Json): boolean {
  if (typeof part === 'string') return typeof whole === 'string' && whole.startsWith(part)
  if (Array.isArray(part)) {
    return (
      Array.isArray(whole) &&
      part.every((item, index) => index < whole.length && isBeginningOf(item, whole[index] ?? null))
    )
  }
  if (typeof part !== 'object' || part === null) return Object.is(part, whole)
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) return false
  return Object.keys(part).every(
    key => Object.hasOwn(whole, key) && isBeginningOf(part[key] ?? null, whole[key] ?? null),
  )
}

const cuts = fc.array(fc.nat(20), { maxLength: 20 })
/** JSON.stringify writes a repeated key once. */
const values = fc.jsonValue({ maxDepth: 4, noUnicodeString: false }) as fc.Arbitrary<Json>

function piecesOf(text: string, lengths: readonly number[]): string[] {
  const pieces: string[] = []
  let from = 0
  for (const length of lengths) pieces.push(text.slice(from, (from += length)))
  return [...pieces, text.slice(from)]
}

describe('PartialJson', () => {
  it('PartialJson ends with the whole value however the text is split', () => {
    fc.assert(
      fc.property(values, cuts, fc.constantFrom(0, 2), (value, lengths, indent) => {
        // A number is complete when another character follows it.
        expect(read(...piecesOf(JSON.stringify(value, undefined, indent), lengths), ' ')).toEqual(
          JSON.parse(JSON.stringify(value)),
        )
      }),
      { numRuns: 500 },
    )
  })

  it('PartialJson shows a prefix of the value that later pieces only extend', () => {
    fc.assert(
      fc.property(values, cuts, (value, lengths) => {
        const json = new PartialJson()
        const whole = JSON.parse(JSON.stringify(value)) as Json
        const seen: { readonly shot: Json; readonly copy: string }[] = []
        for (const piece of piecesOf(JSON.stringify(value), lengths)) {
          json.push(piece)
          const shot = json.snapshot()
          if (shot === undefined) continue
          expect(isBeginningOf(shot, whole)).toBe(true)
          seen.push({ shot, copy: JSON.stringify(shot) })
        }
        for (const { shot, copy } of seen) expect(JSON.stringify(shot)).toBe(copy)
      }),
      { numRuns: 300 },
    )
  })

  it('PartialJson shows partial strings, and numbers and literals only when complete', () => {
    expect(read('{"name": "Ad')).toEqual({ name: 'Ad' })
    expect(read('{"n": 12')).toEqual({})
    expect(read('{"n": 12,')).toEqual({ n: 12 })
    expect(read('[true, fal')).toEqual([true])
    expect(read('{"a": {"b": [1, "x')).toEqual({ a: { b: [1, 'x'] } })
    expect(read(' ')).toBeUndefined()
  })

  it('PartialJson never shows an incomplete escape', () => {
    expect(read('["a\\')).toEqual(['a'])
    expect(read('["a\\u00e', '9"')).toEqual(['aé'])
  })

  it.each(['[1 2]', '{"a" 1}', '{1: 2}', ']', '[1}', '{"a": nope, "b": 1}', '["\\u00zz"]', '[1] [2]'])(
    'PartialJson stops at the syntax error in %s without throwing',
    text => {
      expect(() => read(text)).not.toThrow()
    },
  )

  it('PartialJson reads __proto__ as an ordinary field', () => {
    const value = read('{"__proto__": {"x": 1}}')
    expect(Object.keys(value as object)).toEqual(['__proto__'])
    expect((value as { x?: unknown }).x).toBeUndefined()
  })
})
