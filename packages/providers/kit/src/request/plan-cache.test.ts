import type { CacheSetting } from '@parley/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planCache, type CacheFacts, type CachePlan } from './plan-cache.ts'

const loop: CacheFacts = {
  hasTools: true,
  hasStableSystem: true,
  hasVolatileSystem: false,
  userTurns: [true, false, true, false, true],
  room: 4,
}
const marksOf = ({ tools, system, turns }: CachePlan): number => Number(tools) + Number(system) + turns.length

describe('planCache', () => {
  it('planCache marks tools, instructions, the last turn and the end of the previous call', () => {
    expect(planCache('auto', loop)).toEqual({
      tools: true,
      system: true,
      turns: [4, 2],
    })
  })

  it('planCache marks an assistant turn at the end, and the user turn before it', () => {
    expect(planCache('auto', { ...loop, userTurns: [true, false] }).turns).toEqual([1, 0])
    expect(planCache('auto', { ...loop, userTurns: [true] }).turns).toEqual([0])
    expect(planCache('auto', { ...loop, userTurns: [] }).turns).toEqual([])
  })

  it('planCache marks nothing if caching is off', () => {
    expect(marksOf(planCache('off', loop))).toBe(0)
  })

  it('planCache marks the chosen places', () => {
    expect(planCache({ messages: false }, loop)).toEqual({
      tools: true,
      system: true,
      turns: [],
    })
    expect(planCache({ system: false, tools: false }, loop)).toMatchObject({ tools: false, system: false })
  })

  it('planCache marks no messages after volatile instructions unless the setting asks for it', () => {
    const facts = { ...loop, hasVolatileSystem: true }
    expect(planCache('auto', facts)).toMatchObject({ system: true, turns: [] })
    expect(planCache({ messages: true }, facts).turns).toEqual([4, 2])
  })

  it('planCache never sets more marks than there is room for, and none on missing places', () => {
    const setting = fc.oneof(
      fc.constantFrom<CacheSetting>('auto', 'off'),
      fc.record({ system: fc.boolean(), tools: fc.boolean(), messages: fc.boolean() }, { requiredKeys: [] }),
    )
    const facts = fc.record({
      hasTools: fc.boolean(),
      hasStableSystem: fc.boolean(),
      hasVolatileSystem: fc.boolean(),
      userTurns: fc.array(fc.boolean(), { maxLength: 9 }),
      room: fc.integer({ min: -2, max: 4 }),
    })
    fc.assert(
      fc.property(setting, facts, (chosen, given) => {
        const plan = planCache(chosen, given)
        expect(marksOf(plan)).toBeLessThanOrEqual(Math.max(given.room, 0))
        expect(new Set(plan.turns).size).toBe(plan.turns.length)
        expect(plan.turns.every(turn => given.userTurns[turn] !== undefined)).toBe(true)
        if (!given.hasTools) expect(plan.tools).toBe(false)
        if (!given.hasStableSystem) expect(plan.system).toBe(false)
      }),
    )
  })
})
