import { createRefuse } from '@parley/provider-kit'
import { describe, expect, it } from 'vitest'
import { quirkProfiles, type QuirkProfileName } from '../quirks/quirk-profiles.ts'
import { choiceFields } from './choice-fields.ts'

const convert = (settings: Parameters<typeof choiceFields>[0], profile: QuirkProfileName): unknown =>
  choiceFields(settings, quirkProfiles[profile], createRefuse({ provider: profile, model: 'm' }))
const unsupported = expect.objectContaining({ code: 'model-unsupported' }) as Error

describe('choiceFields', () => {
  it('choiceFields sends top-k and the penalties under the names of chat completions', () => {
    const settings = { topK: 20, frequencyPenalty: 0.5, presencePenalty: -1 }
    const fields = { top_k: 20, frequency_penalty: 0.5, presence_penalty: -1 }
    for (const profile of ['openrouter', 'together', 'vllm', 'generic'] as const)
      expect(convert(settings, profile)).toEqual(fields)
    expect(convert({}, 'generic')).toEqual({})
  })

  it('choiceFields rejects a setting that the server does not have', () => {
    for (const profile of ['openai', 'azure', 'mistral', 'deepseek'] as const)
      expect(() => convert({ topK: 20 }, profile)).toThrow(unsupported)
    for (const profile of ['xai', 'cerebras', 'zai'] as const) {
      expect(() => convert({ frequencyPenalty: 1 }, profile)).toThrow(unsupported)
      expect(() => convert({ presencePenalty: 1 }, profile)).toThrow(unsupported)
    }
  })
})
