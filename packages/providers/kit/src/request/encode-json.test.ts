import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeJson } from './encode-json.ts'

describe('encodeJson', () => {
  it('encodeJson replaces lone surrogates everywhere', () => {
    const value = { a: 'x\uD83D', b: ['\uDE00\uD83D\uD83D', '\\\uD83D'] }
    expect(JSON.parse(encodeJson(value))).toEqual({ a: 'x\uFFFD', b: ['\uFFFD\uFFFD\uFFFD', '\\\uFFFD'] })
  })

  it('encodeJson keeps surrogate pairs, and texts that only look like escapes', () => {
    const value = ['😀', String.raw`\ud83d`, String.raw`\\ud83d`]
    expect(JSON.parse(encodeJson(value))).toEqual(value)
  })

  it('encodeJson returns the well-formed form of any text', () => {
    const unit = fc.nat(0xffff).map(code => String.fromCharCode(code))
    const half = fc.integer({ min: 0xd800, max: 0xdfff }).map(code => String.fromCharCode(code))
    const texts = fc.array(fc.oneof(unit, half, fc.constantFrom('\\', '\\ud83d', '"'))).map(parts => parts.join(''))
    fc.assert(
      fc.property(texts, text => {
        expect(JSON.parse(encodeJson(text))).toBe(text.toWellFormed())
      }),
    )
  })
})
