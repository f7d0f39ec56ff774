import { expect, it } from 'vitest'
import { parallelCallsField } from './parallel-calls-field.ts'
import { quirkProfiles, type QuirkProfileName } from '../quirks/quirk-profiles.ts'

const convert = (setting: boolean | undefined, profile: QuirkProfileName): unknown =>
  parallelCallsField(setting, { provider: profile, model: 'm', quirks: quirkProfiles[profile] })

it('says what the caller wants, and nothing when it wants nothing', () => {
  expect(convert(undefined, 'openai')).toEqual({})
  expect(convert(true, 'openai')).toEqual({ parallel_tool_calls: true })
  expect(convert(false, 'llamacpp')).toEqual({ parallel_tool_calls: false })
})

it('refuses to keep a server to one call that cannot be kept', () => {
  expect(convert(true, 'ollama')).toEqual({})
  expect(() => convert(false, 'ollama')).toThrow(expect.objectContaining({ code: 'model-unsupported' }))
})
