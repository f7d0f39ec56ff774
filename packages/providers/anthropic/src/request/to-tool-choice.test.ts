import type { ModelRequest } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { rulesOfModel } from '../models/model-rules.ts'
import { createRefuse } from '@parley/provider-kit'
import { toToolChoice } from './to-tool-choice.ts'

function convert(
  toolChoice: ModelRequest['toolChoice'],
  { model = 'claude-sonnet-4-5', thinks = false, parallelToolCalls = undefined as boolean | undefined } = {},
): unknown {
  const request = { system: [], messages: [], tools: [], toolChoice, settings: { parallelToolCalls } }
  return toToolChoice(request, {
    rules: rulesOfModel(model),
    refuse: createRefuse({ provider: 'anthropic', model }),
    thinks,
  })
}

describe('toToolChoice', () => {
  it('toToolChoice returns undefined for the default of the API', () => {
    expect(convert(undefined)).toBeUndefined()
    expect(convert('auto', { parallelToolCalls: true })).toBeUndefined()
  })

  it('toToolChoice converts other choices to the words of the API', () => {
    expect(convert('none', { parallelToolCalls: false })).toEqual({ type: 'none' })
    expect(convert('required')).toEqual({ type: 'any' })
    expect(convert({ name: 'f' })).toEqual({ type: 'tool', name: 'f' })
  })

  it('toToolChoice disables parallel calls if the setting is false', () => {
    const serial = { disable_parallel_tool_use: true }
    expect(convert('auto', { parallelToolCalls: false })).toEqual({ type: 'auto', ...serial })
    expect(convert('required', { parallelToolCalls: false })).toEqual({ type: 'any', ...serial })
    expect(convert({ name: 'f' }, { parallelToolCalls: false })).toEqual({ type: 'tool', name: 'f', ...serial })
  })

  it('toToolChoice rejects a forced call if the model does not support it', () => {
    const refused = expect.objectContaining({ code: 'model-unsupported' }) as Error
    expect(() => convert('required', { model: 'claude-opus-5-5' })).toThrow(refused)
    expect(() => convert({ name: 'f' }, { thinks: true })).toThrow(refused)
    expect(convert('required', { model: 'claude-opus-5', thinks: true })).toEqual({ type: 'any' })
  })
})
