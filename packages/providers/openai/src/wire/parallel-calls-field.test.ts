import { expect, it } from 'vitest'
import { parallelCallsField } from './parallel-calls-field.ts'
import { quirkProfiles, type QuirkProfileName } from '../quirks/quirk-profiles.ts'

const convert = (setting: boolean | undefined, profile: QuirkProfileName): unknown =>
  parallelCallsField(setting, { provider: profile, model: 'm', quirks: quirkProfiles[profile] })

it('parallelCallsField sends the setting, and nothing without a setting', () => {
  expect(convert(undefined, 'openai')).toEqual({})
  expect(convert(true, 'openai')).toEqual({ parallel_tool_calls: true })
  expect(convert(false, 'llamacpp')).toEqual({ parallel_tool_calls: false })
})

it('parallelCallsField rejects false if the server cannot limit calls', () => {
  expect(convert(true, 'ollama')).toEqual({})
  expect(() => convert(false, 'ollama')).toThrow(expect.objectContaining({ code: 'model-unsupported' }))
})
