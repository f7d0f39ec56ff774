import type { ThinkingSetting } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { toThink } from './to-think.ts'

const think = (setting: ThinkingSetting | undefined, model = 'qwen3:8b'): unknown =>
  toThink(setting, { provider: 'ollama', model })
const unsupported = expect.objectContaining({ code: 'model-unsupported' }) as unknown

describe('toThink', () => {
  it('toThink returns undefined without a setting', () => {
    expect(think(undefined)).toBeUndefined()
  })

  it('toThink switches thinking on or off for most models', () => {
    expect(think('off')).toBe(false)
    for (const level of ['minimal', 'low', 'medium', 'high'] as const) expect(think(level)).toBe(true)
  })

  it('toThink gives gpt-oss a level, raised to its minimum', () => {
    expect(think('minimal', 'gpt-oss:20b')).toBe('low')
    expect(think('high', 'me/gpt-oss')).toBe('high')
  })

  it('toThink rejects settings without effect', () => {
    expect(() => think('off', 'gpt-oss:20b')).toThrow(unsupported as Error)
    expect(() => think({ budgetTokens: 100 })).toThrow(unsupported as Error)
  })
})
