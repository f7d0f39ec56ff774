import type { ModelSettings, ThinkingSetting } from '@parley/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rulesOfModel } from '../models/model-rules.ts'
import { planThinking, type ThinkingPlan } from './plan-thinking.ts'
import { createRefuse } from '@parley/provider-kit'

interface Case {
  readonly model: string
  readonly outputCap?: number
  readonly interleaved?: boolean
}

function plan(settings: ModelSettings, { model, outputCap, interleaved = false }: Case): ThinkingPlan {
  const refuse = createRefuse({ provider: 'anthropic', model })
  return planThinking(settings, { rules: rulesOfModel(model), refuse, outputCap, interleaved })
}

const refused = expect.objectContaining({ code: 'model-unsupported' }) as Error

describe('planThinking', () => {
  it('planThinking sets only the required output limit if thinking is not set', () => {
    expect(plan({}, { model: 'claude-opus-4-5' })).toEqual({ asked: false, maxTokens: 64_000 })
    expect(plan({}, { model: 'claude-opus-4-5', outputCap: 9 })).toMatchObject({ maxTokens: 9 })
    expect(plan({ maxOutputTokens: 70_000 }, { model: 'claude-opus-4-5' })).toMatchObject({ maxTokens: 70_000 })
  })

  it.each([
    ['claude-opus-4-7', undefined],
    ['claude-opus-5', { type: 'disabled' }],
    ['claude-sonnet-5-5', { type: 'between_tools' }],
    ['claude-3-haiku', undefined],
  ])('planThinking turns thinking off for %s with %j', (model, thinking) => {
    expect(plan({ thinking: 'off' }, { model })).toMatchObject({ asked: false })
    expect(plan({ thinking: 'off' }, { model }).thinking).toEqual(thinking)
  })

  it('planThinking rejects off for a model that always thinks, and a level for a model that does not think', () => {
    expect(() => plan({ thinking: 'off' }, { model: 'claude-opus-5-5' })).toThrow(refused)
    expect(() => plan({ thinking: 'low' }, { model: 'claude-3-5-haiku' })).toThrow(refused)
  })

  it.each([
    ['minimal', 1024],
    ['low', 4096],
    ['medium', 12_000],
    ['high', 24_000],
  ] as const)('planThinking gives older models a budget for %s', (thinking, budget) => {
    expect(plan({ thinking }, { model: 'claude-sonnet-4-5' })).toEqual({
      thinking: { type: 'enabled', budget_tokens: budget },
      asked: true,
      maxTokens: 64_000,
    })
  })

  it.each([
    ['minimal', 'low'],
    ['low', 'low'],
    ['medium', 'medium'],
    ['high', 'high'],
  ] as const)('planThinking gives newer models an effort for %s and requests a summary', (thinking, effort) => {
    const asked = { effort, asked: true, maxTokens: 64_000 }
    expect(plan({ thinking }, { model: 'claude-opus-4-8' })).toEqual({
      ...asked,
      thinking: { type: 'adaptive', display: 'summarized' },
    })
    expect(plan({ thinking }, { model: 'claude-sonnet-4-6' })).toEqual({ ...asked, thinking: { type: 'adaptive' } })
  })

  it('planThinking raises a budget to the minimum, and accepts a budget for models that also support effort', () => {
    const thinking = { budgetTokens: 100 }
    expect(plan({ thinking }, { model: 'claude-sonnet-4-6' }).thinking).toEqual({
      type: 'enabled',
      budget_tokens: 1024,
    })
    expect(() => plan({ thinking }, { model: 'claude-opus-4-7' })).toThrow(/accepts no thinking budget/)
  })

  it('planThinking reduces the budget of a level to leave room for the answer', () => {
    const { thinking, maxTokens } = plan({ thinking: 'high', maxOutputTokens: 10_000 }, { model: 'claude-sonnet-4-5' })
    expect(thinking).toEqual({ type: 'enabled', budget_tokens: 8000 })
    expect(maxTokens).toBe(10_000)
    expect(() => plan({ thinking: 'minimal', maxOutputTokens: 1024 }, { model: 'claude-sonnet-4-5' })).toThrow(refused)
  })

  it('planThinking raises the output limit for a large budget, up to the maximum of the model', () => {
    const thinking = { budgetTokens: 60_000 }
    const model = 'claude-opus-4-1'
    expect(plan({ thinking }, { model }).maxTokens).toBe(68_192)
    expect(plan({ thinking }, { model, outputCap: 64_000 }).maxTokens).toBe(64_000)
    expect(() => plan({ thinking }, { model, outputCap: 32_000 })).toThrow(/must be below/)
    expect(() => plan({ thinking, maxOutputTokens: 60_000 }, { model })).toThrow(refused)
    const { thinking: field } = plan({ thinking, maxOutputTokens: 60_000 }, { model, interleaved: true })
    expect(field).toEqual({ type: 'enabled', budget_tokens: 60_000 })
  })

  it('planThinking never produces a budget that the API rejects, for any setting', () => {
    const levels = fc.constantFrom<ThinkingSetting>('off', 'minimal', 'low', 'medium', 'high')
    const settings = fc.record({
      thinking: fc.oneof(
        levels,
        fc.integer({ min: -5, max: 200_000 }).map(budgetTokens => ({ budgetTokens })),
      ),
      maxOutputTokens: fc.option(fc.integer({ min: 1, max: 128_000 }), { nil: undefined }),
    })
    const models = fc.constantFrom('claude-3-haiku', 'claude-sonnet-4-5', 'claude-opus-4-6', 'claude-opus-5', 'qwen3')
    const cap = fc.option(fc.integer({ min: 1, max: 128_000 }), { nil: undefined })
    fc.assert(
      fc.property(settings, models, cap, (asked, model, outputCap) => {
        let made: ThinkingPlan
        try {
          made = plan(asked, { model, ...(outputCap === undefined ? {} : { outputCap }) })
        } catch (error) {
          expect(error).toEqual(refused)
          return
        }
        const { thinking, effort, maxTokens } = made
        expect(Number.isInteger(maxTokens) && maxTokens > 0).toBe(true)
        if (thinking?.['type'] === 'enabled') {
          expect(model).not.toBe('claude-opus-5')
          expect(thinking['budget_tokens']).toBeGreaterThanOrEqual(1024)
          expect(thinking['budget_tokens']).toBeLessThan(maxTokens)
          expect(effort).toBeUndefined()
        }
        if (thinking?.['type'] === 'adaptive') expect(['claude-opus-4-6', 'claude-opus-5']).toContain(model)
      }),
    )
  })
})
