import * as z from 'zod'
import { anyJson, count, words } from './scalars.ts'

const thinkingSchema = z
  .union([z.enum(['off', 'minimal', 'low', 'medium', 'high']), z.strictObject({ budgetTokens: count })])
  .describe("How much the model thinks before it answers. Default: the model's default.")

const cacheSchema = z
  .union([
    z.enum(['auto', 'off']),
    z.strictObject({
      system: z.boolean().optional(),
      tools: z.boolean().optional(),
      messages: z.boolean().optional(),
      ttl: z.enum(['5m', '1h']).optional().describe('Lifetime of a cache entry. Default: 5m.'),
    }),
  ])
  .describe('Which parts of the prompt the provider caches. Default: auto.')

const penalty = z.number().min(-2).max(2)

/** `ModelSettings` of `@parley/core`, without `output`: agents have a field for it. */
export const settingsSchema = z
  .strictObject({
    maxOutputTokens: count.optional().describe('Maximum length of an answer in tokens.'),
    temperature: z.number().min(0).optional(),
    topP: z.number().min(0).max(1).optional(),
    topK: count.optional().describe('Number of most likely tokens among which the model chooses.'),
    frequencyPenalty: penalty.optional().describe('Makes frequent tokens less likely.'),
    presencePenalty: penalty.optional().describe('Makes tokens that occurred before less likely.'),
    toolChoice: z
      .union([z.enum(['auto', 'none', 'required']), z.strictObject({ name: words })])
      .optional()
      .describe('Whether the first answer of a run must call a tool. Default: auto.'),
    stopSequences: z.array(words).optional(),
    seed: z.int().optional(),
    thinking: thinkingSchema.optional(),
    cache: cacheSchema.optional(),
    parallelToolCalls: z.boolean().optional().describe('Whether one answer may contain several tool calls.'),
    providerOptions: z
      .record(words, z.record(words, anyJson))
      .optional()
      .describe('Additional request fields for one provider, by its name in this file.'),
  })
  .describe('Settings of the model calls.')
