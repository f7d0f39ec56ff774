import type { ModelSettings } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { rulesOfModel } from '../models/model-rules.ts'
import { createRefuse } from '@parley/provider-kit'
import { samplingFields } from './sampling-fields.ts'

const convert = (settings: ModelSettings, model = 'claude-sonnet-4-5', thinks = false) =>
  samplingFields(settings, {
    rules: rulesOfModel(model),
    refuse: createRefuse({ provider: 'anthropic', model }),
    thinks,
  })

describe('samplingFields', () => {
  it('samplingFields converts temperature or top-p', () => {
    expect(convert({ temperature: 0 })).toEqual({ temperature: 0 })
    expect(convert({ topP: 0.5 })).toEqual({ top_p: 0.5 })
    expect(convert({ topK: 5 })).toEqual({ top_k: 5 })
    expect(convert({ temperature: 0.2, topP: 0.5 }, 'claude-3-5-sonnet')).toEqual({ temperature: 0.2, top_p: 0.5 })
  })

  it('samplingFields leaves out the default, because some models reject the field', () => {
    expect(convert({ temperature: 1, topP: 1 }, 'claude-opus-5')).toEqual({})
    expect(convert({ temperature: 1 }, 'claude-sonnet-4-5', true)).toEqual({})
  })

  it.each([
    [{ temperature: 0.5 }, 'claude-opus-4-7', false],
    [{ topP: 0.5 }, 'claude-haiku-5-5', false],
    [{ temperature: 0.5, topP: 0.5 }, 'claude-sonnet-4-5', false],
    [{ temperature: 1.5 }, 'claude-3-haiku', false],
    [{ temperature: -0.1 }, 'claude-3-haiku', false],
    [{ temperature: 0 }, 'claude-sonnet-4-5', true],
    [{ topP: 0.9 }, 'claude-sonnet-4-5', true],
    [{ seed: 1 }, 'claude-sonnet-4-5', false],
    [{ topK: 5 }, 'claude-opus-4-7', false],
    [{ topK: 5 }, 'claude-sonnet-4-5', true],
    [{ frequencyPenalty: 0.5 }, 'claude-sonnet-4-5', false],
    [{ presencePenalty: 0 }, 'claude-sonnet-4-5', false],
  ])('samplingFields rejects %j for %s (thinking: %s)', (settings, model, thinks) => {
    expect(() => convert(settings, model, thinks)).toThrow(expect.objectContaining({ code: 'model-unsupported' }))
  })

  it('samplingFields accepts a high top-p while the model thinks', () => {
    expect(convert({ topP: 0.97 }, 'claude-sonnet-4-5', true)).toEqual({ top_p: 0.97 })
  })
})
