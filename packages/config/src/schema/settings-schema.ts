import * as z from 'zod'
import { anyJson, count, words } from './scalars.ts'

const thinkingSchema = z
  .union([z.enum(['off', 'minimal', 'low', 'medium', 'high']), z.strictObject({ budgetTokens: count })])
  .describe("How much the model thinks before it answers. Default: the model's own.")

const cacheSchema = z
  .union([
    z.enum(['auto', 'off']),
    z.strictObject({
      system: z.boolean().optional(),
      tools: z.boolean().optional(),
      messages: z.boolean().optional(),
      ttl: z.enum(['5m', '1h']).optional().describe('How long an entry lives. Default: 5m.'),
    }),
  ])
  .describe('Where the provider is asked to cache the prompt. Default: auto.')

/** What a model is asked with: `ModelSettings` of `@parley/core`, but for `output`, which agents have in a form of their own. */
export const settingsSchema = z
  .strictObject({
    maxOutputTokens: count.optional().describe('Longest answer, in tokens.'),
    temperature: z.number().min(0).optional(),
    topP: z.number().min(0).max(1).optional(),
    stopSequences: z.array(words).optional(),
    seed: z.int().optional(),
    thinking: thinkingSchema.optional(),
    cache: cacheSchema.optional(),
    parallelToolCalls: z.boolean().optional().describe('Whether one answer may hold several tool calls.'),
    providerOptions: z
      .record(words, z.record(words, anyJson))
      .optional()
      .describe("Fields for one provider's wire, by its name here; other providers ignore them."),
  })
  .describe('What the model is asked with.')
