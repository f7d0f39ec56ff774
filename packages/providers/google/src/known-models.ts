import type { ModelInfo } from '@parley/core'

// List prices of ai.google.dev, taken from independent tables of autumn 2026: paid tier, text input, prompts of up to 200,000
// tokens. Pro models cost up to twice as much for longer prompts.
const READ = { source: 'ai.google.dev/gemini-api/docs/pricing', date: '2026-10-07' } as const

const limits = { contextWindow: 1_048_576, maxOutputTokens: 65_536, structuredOutput: 'schema' } as const
// Models before Gemini 3 support a schema or tools, but not both in one request.
const limits25 = { ...limits, structuredOutputWithTools: false } as const

/** Facts about some of Google's models. A model that is not listed works too; its facts are unknown. */
export const knownModels: Readonly<Record<string, ModelInfo>> = {
  'gemini-3.1-pro-preview': { ...limits, pricing: { input: 2, output: 12, cacheRead: 0.2, ...READ } },
  // This price ends with 2026; from then on the model costs twice as much.
  'gemini-3.8-flash': { ...limits, pricing: { input: 0.75, output: 3.75, cacheRead: 0.075, ...READ } },
  'gemini-3.5-flash': { ...limits, pricing: { input: 1.5, output: 9, cacheRead: 0.15, ...READ } },
  'gemini-3.1-flash-lite': { ...limits, pricing: { input: 0.25, output: 1.5, cacheRead: 0.025, ...READ } },
  'gemini-3-flash-preview': { ...limits, pricing: { input: 0.5, output: 3, cacheRead: 0.05, ...READ } },
  'gemini-2.5-pro': { ...limits25, pricing: { input: 1.25, output: 10, cacheRead: 0.125, ...READ } },
  'gemini-2.5-flash': { ...limits25, pricing: { input: 0.3, output: 2.5, cacheRead: 0.03, ...READ } },
  'gemini-2.5-flash-lite': { ...limits25, pricing: { input: 0.1, output: 0.4, cacheRead: 0.01, ...READ } },
}
