import type { ModelSettings } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { quirkProfiles, type QuirkProfileName } from '../quirks/quirk-profiles.ts'
import { samplingFields } from './sampling-fields.ts'

const convert = (
  settings: ModelSettings,
  model: string,
  { asked = {}, profile = 'openai' as QuirkProfileName } = {},
): unknown => samplingFields(settings, { provider: profile, model, quirks: quirkProfiles[profile], asked })
const unsupported = expect.objectContaining({ code: 'model-unsupported' }) as Error

describe('samplingFields', () => {
  it('samplingFields sends the given values to models that do not reason', () => {
    const settings = { temperature: 0, topP: 0.5, stopSequences: ['x'] }
    for (const model of ['gpt-4.1', 'gpt-5-chat-latest', 'gpt-5.1'])
      expect(convert(settings, model)).toEqual({ temperature: 0, top_p: 0.5, stop: ['x'] })
    expect(convert({}, 'gpt-4.1')).toEqual({})
  })

  it.each(['o3', 'ft:o4-mini:me', 'gpt-5', 'gpt-5-mini', 'gpt-5.4-pro', 'gpt-5.1-codex', 'gpt-5.6'])(
    'samplingFields rejects temperature and top-p other than 1 for %s, which always reasons',
    model => {
      expect(() => convert({ temperature: 0.5 }, model)).toThrow(unsupported)
      expect(() => convert({ topP: 0.5 }, model)).toThrow(unsupported)
      expect(() => convert({ frequencyPenalty: 0.5 }, model)).toThrow(unsupported)
      expect(() => convert({ presencePenalty: -1 }, model)).toThrow(unsupported)
      expect(convert({ temperature: 1, topP: 1 }, model)).toEqual({ temperature: 1, top_p: 1 })
    },
  )

  it('samplingFields depends on the effort for models whose reasoning can be set', () => {
    const settings = { temperature: 0 }
    expect(() => convert(settings, 'gpt-5.2', { asked: { reasoning_effort: 'low' } })).toThrow(unsupported)
    expect(() => convert(settings, 'gpt-5.2', { asked: { reasoning: { effort: 'low' } } })).toThrow(unsupported)
    expect(convert(settings, 'gpt-5.2', { asked: { reasoning_effort: 'none' } })).toEqual(settings)
    expect(convert(settings, 'gpt-5.6', { asked: { reasoning: { effort: 'none' } } })).toEqual(settings)
  })

  it('samplingFields rejects unsupported and too many stop sequences', () => {
    expect(() => convert({ stopSequences: ['a'] }, 'gpt-5')).toThrow(unsupported)
    expect(() => convert({ stopSequences: ['a', 'b', 'c', 'd', 'e'] }, 'gpt-4.1')).toThrow(unsupported)
    expect(convert({ stopSequences: ['a', 'b', 'c', 'd', 'e'] }, 'x', { profile: 'vllm' })).toHaveProperty('stop')
  })

  it('samplingFields accepts everything for other servers, for any model id', () => {
    expect(convert({ temperature: 0.5 }, 'gpt-5', { profile: 'openrouter' })).toEqual({ temperature: 0.5 })
  })
})
