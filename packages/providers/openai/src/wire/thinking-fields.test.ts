import type { ThinkingSetting } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { quirkProfiles, type QuirkProfileName } from '../quirks/quirk-profiles.ts'
import { thinkingFields } from './thinking-fields.ts'

const convert = (
  setting: ThinkingSetting | undefined,
  model = 'gpt-5.1',
  { profile = 'openai' as QuirkProfileName, api = 'chat' as 'chat' | 'responses' } = {},
): unknown => thinkingFields(setting, { provider: profile, model, quirks: quirkProfiles[profile], api })
const unsupported = expect.objectContaining({ code: 'model-unsupported' }) as Error

describe('thinkingFields', () => {
  it('thinkingFields sends the level in the words of each API', () => {
    expect(convert(undefined)).toEqual({})
    expect(convert('low')).toEqual({ reasoning_effort: 'low' })
    expect(convert('minimal')).toEqual({ reasoning_effort: 'low' })
    expect(convert('off')).toEqual({ reasoning_effort: 'none' })
    expect(convert('high', 'gpt-5', { api: 'responses' })).toEqual({ reasoning: { effort: 'high' } })
    expect(convert('off', 'qwen3', { profile: 'ollama' })).toEqual({ reasoning_effort: 'none' })
    expect(convert('high', 'x/y', { profile: 'openrouter' })).toEqual({ reasoning: { effort: 'high' } })
  })

  it('thinkingFields sends nothing for off if the model does not think', () => {
    expect(convert('off', 'gpt-4.1')).toEqual({})
  })

  it('thinkingFields switches thinking on and off for servers with a switch', () => {
    const zai = (setting: ThinkingSetting, model = 'glm-4.7'): unknown => convert(setting, model, { profile: 'zai' })
    expect(zai('off')).toEqual({ thinking: { type: 'disabled' } })
    expect(zai('low')).toEqual({ thinking: { type: 'enabled' } })
    expect(zai('off', 'glm-4-plus')).toEqual({})
    expect(zai('minimal', 'glm-5.3')).toEqual({ thinking: { type: 'enabled' }, reasoning_effort: 'low' })
    expect(zai('medium', 'glm-5.3')).toEqual({ thinking: { type: 'enabled' }, reasoning_effort: 'high' })
  })

  it('thinkingFields sends a budget if the server supports budgets', () => {
    const budget = { budgetTokens: 2000.5 }
    expect(convert(budget, 'x/y', { profile: 'openrouter' })).toEqual({ reasoning: { max_tokens: 2001 } })
    expect(() => convert(budget)).toThrow(unsupported)
  })

  it.each([
    ['off', 'gpt-5', 'openai'],
    ['off', 'o3', 'openai'],
    ['low', 'gpt-4o', 'openai'],
    ['high', 'gpt-5.1-chat-latest', 'azure'],
    ['low', 'deepseek-reasoner', 'deepseek'],
    ['off', 'grok-4', 'xai'],
    ['low', 'any', 'llamacpp'],
    ['off', 'any', 'mistral'],
    ['off', 'glm-5.3', 'zai'],
    ['low', 'glm-4-plus', 'zai'],
  ] as const)('thinkingFields rejects %s for %s at %s', (setting, model, profile) => {
    expect(() => convert(setting, model, { profile })).toThrow(unsupported)
  })
})
