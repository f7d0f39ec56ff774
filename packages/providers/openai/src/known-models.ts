import type { ModelInfo } from '@parley/core'

// List prices of developers.openai.com, taken from two independent tables of that month.
const READ = { source: 'developers.openai.com/api/docs/pricing', date: '2026-03-21' } as const

const schema = { structuredOutput: 'schema' } as const
const gpt5 = { ...schema, contextWindow: 400_000, maxOutputTokens: 128_000 }
const gpt41 = { ...schema, contextWindow: 1_047_576, maxOutputTokens: 32_768 }
const gpt4o = { ...schema, contextWindow: 128_000, maxOutputTokens: 16_384 }

/** Facts about some of OpenAI's models. A model that is not listed works too; its facts are unknown. */
export const knownModels: Readonly<Record<string, ModelInfo>> = {
  'gpt-5': { ...gpt5, pricing: { input: 1.25, output: 10, cacheRead: 0.125, ...READ } },
  'gpt-5-mini': { ...gpt5, pricing: { input: 0.25, output: 2, cacheRead: 0.025, ...READ } },
  'gpt-5-nano': { ...gpt5, pricing: { input: 0.05, output: 0.4, cacheRead: 0.005, ...READ } },
  'gpt-4.1': { ...gpt41, pricing: { input: 2, output: 8, cacheRead: 0.5, ...READ } },
  'gpt-4.1-mini': { ...gpt41, pricing: { input: 0.4, output: 1.6, cacheRead: 0.1, ...READ } },
  'gpt-4.1-nano': { ...gpt41, pricing: { input: 0.1, output: 0.4, cacheRead: 0.025, ...READ } },
  'gpt-4o': { ...gpt4o, pricing: { input: 2.5, output: 10, cacheRead: 1.25, ...READ } },
  'gpt-4o-mini': { ...gpt4o, pricing: { input: 0.15, output: 0.6, cacheRead: 0.075, ...READ } },
}
