import { expect, it } from 'vitest'
import { fromGeminiUsage } from './gemini-usage.ts'

it('fromGeminiUsage counts each token once', () => {
  expect(
    fromGeminiUsage({
      promptTokenCount: 20,
      cachedContentTokenCount: 8,
      toolUsePromptTokenCount: 100,
      candidatesTokenCount: 40,
      thoughtsTokenCount: 60,
      totalTokenCount: 220,
    }),
  ).toEqual({ input: 112, output: 100, reasoning: 60, cacheRead: 8, cacheWrite: 0 })
  expect(fromGeminiUsage({ promptTokenCount: 3, totalTokenCount: 3 })).toEqual({
    input: 3,
    output: 0,
    reasoning: 0,
    cacheRead: 0,
    cacheWrite: 0,
  })
})

it('fromGeminiUsage returns undefined if the counts are unknown', () => {
  for (const usage of [undefined, null, {}, { trafficType: 'ON_DEMAND' }])
    expect(fromGeminiUsage(usage)).toBeUndefined()
})
