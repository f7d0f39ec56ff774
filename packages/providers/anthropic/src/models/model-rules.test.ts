import { describe, expect, it } from 'vitest'
import { rulesOfModel } from './model-rules.ts'

describe('rulesOfModel', () => {
  it.each([
    ['claude-3-haiku-20240307', 'none', 'absent', 'both', 'always'],
    ['claude-3-5-sonnet-20241022', 'none', 'absent', 'both', 'always'],
    ['claude-3-7-sonnet-latest', 'budget', 'absent', 'both', 'without-thinking'],
    ['claude-sonnet-4-20250514', 'budget', 'absent', 'both', 'without-thinking'],
    ['claude-opus-4-0', 'budget', 'absent', 'both', 'without-thinking'],
    ['claude-opus-4-1-20250805', 'budget', 'absent', 'one', 'without-thinking'],
    ['claude-haiku-4-5-20251001', 'budget', 'absent', 'one', 'without-thinking'],
    ['claude-opus-4-5', 'budget', 'absent', 'one', 'without-thinking'],
    ['claude-sonnet-4-6', 'budget-or-adaptive', 'absent', 'one', 'without-thinking'],
    ['claude-opus-4-7', 'adaptive', 'absent', 'none', 'without-thinking'],
    ['claude-opus-4-8', 'adaptive', 'absent', 'none', 'always'],
    ['claude-sonnet-5', 'adaptive', 'disabled', 'none', 'always'],
    ['claude-opus-5', 'adaptive', 'disabled', 'none', 'always'],
    ['claude-opus-5-20260724', 'adaptive', 'disabled', 'none', 'always'],
    ['claude-haiku-5-5', 'adaptive', 'disabled', 'none', 'always'],
    ['claude-sonnet-5-5', 'adaptive', 'between_tools', 'none', 'never'],
    ['claude-opus-5-5', 'adaptive', 'never', 'none', 'never'],
    ['claude-fable-5', 'adaptive', 'never', 'none', 'never'],
    ['claude-mythos-5-1', 'adaptive', 'never', 'none', 'never'],
    ['claude-opus-7', 'adaptive', 'disabled', 'both', 'always'],
    ['qwen3:8b', 'budget', 'disabled', 'both', 'without-thinking'],
  ])('rulesOfModel returns for %s: thinking %s, off by %s, sampling %s, forced tools %s', (id, ...expected) => {
    const { thinking, thinkingOff, sampling, forcedTools } = rulesOfModel(id)
    expect([thinking, thinkingOff, sampling, forcedTools]).toEqual(expected)
  })

  it('rulesOfModel recognizes the ids of gateways and clouds', () => {
    for (const id of ['anthropic/claude-opus-4.7', 'us.anthropic.claude-opus-4-7-v1:0', 'CLAUDE-OPUS-4-7@20260416'])
      expect(rulesOfModel(id)).toBe(rulesOfModel('claude-opus-4-7'))
    expect(rulesOfModel('anthropic.claude-sonnet-4-20250514-v1:0')).toBe(rulesOfModel('claude-sonnet-4-0'))
  })

  it('rulesOfModel allows output schemas for 4.5 and newer models only', () => {
    const holds = (id: string): boolean => rulesOfModel(id).jsonOutput
    expect(['claude-sonnet-4-0', 'claude-opus-4-1', 'claude-3-7-sonnet', 'qwen3'].filter(holds)).toEqual([])
    expect(['claude-haiku-4-5', 'claude-opus-4-6', 'claude-sonnet-5-5', 'claude-fable-5'].filter(holds)).toHaveLength(4)
  })
})
