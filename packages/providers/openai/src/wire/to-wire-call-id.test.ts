import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quirkProfiles } from '../quirks/quirk-profiles.ts'
import { toWireCallId } from './to-wire-call-id.ts'

describe('toWireCallId', () => {
  it('toWireCallId keeps ids that the server accepts', () => {
    expect(toWireCallId('functions.f:0', quirkProfiles.generic)).toBe('functions.f:0')
    expect(toWireCallId('call_1', quirkProfiles.openai)).toBe('call_1')
    expect(toWireCallId('qDEcl0n92', quirkProfiles.mistral)).toBe('qDEcl0n92')
  })

  it('toWireCallId returns accepted ids, equal for equal ids and different for different ids', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 100 }), fc.string({ minLength: 1, maxLength: 100 }), (a, b) => {
        expect(toWireCallId(a, quirkProfiles.mistral)).toMatch(/^[A-Za-z0-9]{9}$/)
        expect(toWireCallId(a, quirkProfiles.openai).length).toBeLessThanOrEqual(40)
        expect(toWireCallId(a, quirkProfiles.mistral) === toWireCallId(b, quirkProfiles.mistral)).toBe(a === b)
      }),
    )
  })

  it('toWireCallId gives ten thousand similar ids different wire ids', () => {
    const ids = Array.from({ length: 10_000 }, (_, n) => toWireCallId(`call_${n}`, quirkProfiles.mistral))
    expect(new Set(ids).size).toBe(ids.length)
  })
})
