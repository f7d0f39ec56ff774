import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toWireCallId } from './to-wire-call-id.ts'

describe('toWireCallId', () => {
  it('keeps an id the API takes', () => {
    expect(toWireCallId('toolu_01-A')).toBe('toolu_01-A')
  })

  it('spells others with what it takes, and different ones differently', () => {
    expect(toWireCallId('functions.weather:0')).toBe('functions_2eweather_3a0')
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), id => {
        expect(toWireCallId(id)).toMatch(/^[a-zA-Z0-9_-]+$/)
      }),
    )
    expect(new Set(['a.b', 'a:b', 'a_b', 'a/b'].map(toWireCallId)).size).toBe(4)
  })
})
