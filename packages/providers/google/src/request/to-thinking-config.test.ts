import { ParleyError, type ThinkingSetting } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { toThinkingConfig } from './to-thinking-config.ts'

const config = (setting: ThinkingSetting | undefined, model: string): unknown =>
  toThinkingConfig(setting, { provider: 'google', model })
const refusal = (setting: ThinkingSetting, model: string): string => {
  try {
    config(setting, model)
  } catch (error) {
    return ParleyError.is(error, 'model-unsupported') ? error.info.detail : 'another failure'
  }
  return 'not refused'
}
const includeThoughts = true

describe('toThinkingConfig', () => {
  it('toThinkingConfig requests the thoughts of models that think, and nothing from other models', () => {
    expect(config(undefined, 'gemini-2.5-pro')).toEqual({ includeThoughts })
    expect(config(undefined, 'models/gemini-3-flash-preview')).toEqual({ includeThoughts })
    for (const model of ['gemini-2.0-flash', 'gemma-3-27b-it', 'gemini-2.5-flash-image', 'mine'])
      expect(config(undefined, model)).toBeUndefined()
  })

  it('toThinkingConfig gives 2.5 models a budget, raised to their minimum', () => {
    expect(config('medium', 'gemini-2.5-pro')).toEqual({ includeThoughts, thinkingBudget: 8192 })
    expect(config({ budgetTokens: 5 }, 'gemini-2.5-pro')).toEqual({ includeThoughts, thinkingBudget: 128 })
    expect(config({ budgetTokens: 5 }, 'gemini-2.5-flash-lite')).toEqual({ includeThoughts, thinkingBudget: 512 })
    expect(config({ budgetTokens: 5 }, 'gemini-2.5-flash')).toEqual({ includeThoughts, thinkingBudget: 5 })
    expect(config('off', 'gemini-2.5-flash')).toEqual({ thinkingBudget: 0 })
  })

  it('toThinkingConfig gives later models a level, raised to a supported one', () => {
    expect(config('minimal', 'gemini-3-flash-preview')).toEqual({ includeThoughts, thinkingLevel: 'MINIMAL' })
    expect(config('minimal', 'gemini-3.1-flash-lite')).toEqual({ includeThoughts, thinkingLevel: 'MINIMAL' })
    expect(config('minimal', 'gemini-3.8-flash')).toEqual({ includeThoughts, thinkingLevel: 'LOW' })
    expect(config('medium', 'gemini-3-pro-preview')).toEqual({ includeThoughts, thinkingLevel: 'HIGH' })
    expect(config('medium', 'gemini-3.1-pro-preview')).toEqual({ includeThoughts, thinkingLevel: 'MEDIUM' })
  })

  it('toThinkingConfig rejects a setting that the model does not support', () => {
    expect(refusal('off', 'gemini-2.5-pro')).toContain('always thinks')
    expect(refusal('off', 'gemini-3-flash-preview')).toContain('always thinks')
    expect(refusal({ budgetTokens: 1000 }, 'gemini-3.1-pro-preview')).toContain('a level')
    expect(refusal({ budgetTokens: 30_000 }, 'gemini-2.5-flash')).toContain('at most 24576')
    expect(refusal('low', 'gemini-2.0-flash')).toContain('does not think')
    expect(config('off', 'gemini-2.0-flash')).toBeUndefined()
  })

  it('toThinkingConfig rejects a setting for an unknown model', () => {
    expect(refusal('low', 'tunedModels/mine')).toContain('providerOptions.google.generationConfig.thinkingConfig')
    expect(refusal('off', 'gemini-flash-latest')).toContain('unknown')
  })
})
