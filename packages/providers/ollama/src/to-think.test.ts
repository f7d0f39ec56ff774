import type { ThinkingSetting } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { toThink } from './to-think.ts'

const think = (setting: ThinkingSetting | undefined, model = 'qwen3:8b'): unknown =>
  toThink(setting, { provider: 'ollama', model })
const unsupported = expect.objectContaining({ code: 'model-unsupported' }) as unknown

describe('toThink', () => {
  it('leaves it to the server unless told', () => {
    expect(think(undefined)).toBeUndefined()
  })

  it('turns the switch that most models have', () => {
    expect(think('off')).toBe(false)
    for (const level of ['minimal', 'low', 'medium', 'high'] as const) expect(think(level)).toBe(true)
  })

  it('gives gpt-oss a level, raised to its least', () => {
    expect(think('minimal', 'gpt-oss:20b')).toBe('low')
    expect(think('high', 'me/gpt-oss')).toBe('high')
  })

  it('refuses what has no effect', () => {
    expect(() => think('off', 'gpt-oss:20b')).toThrow(unsupported as Error)
    expect(() => think({ budgetTokens: 100 })).toThrow(unsupported as Error)
  })
})
