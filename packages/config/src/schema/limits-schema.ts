import * as z from 'zod'
import { count, milliseconds } from './scalars.ts'

export const quotaSchema = z
  .strictObject({
    maxConcurrentRuns: count.optional(),
    onFull: z.enum(['wait', 'refuse']).optional().describe('What happens to a run above the limit. Default: wait.'),
    maxConcurrentToolCalls: count.optional(),
    maxTokensPerTurn: count.optional(),
    maxTokens: count.optional().describe('Maximum number of tokens of all runs in the window.'),
    maxCost: z.number().min(0).optional().describe('Maximum cost of all runs in the window, in US dollars.'),
    maxRuns: count.optional().describe('Maximum number of runs that begin in the window.'),
    windowMs: count
      .optional()
      .describe('Length of the window of the totals, in milliseconds, from 1970-01-01T00:00Z. Default: no end.'),
    key: z
      .enum(['principal', 'session'])
      .optional()
      .describe('Keeps a total for each principal or session. Default: one for all runs of a scope.'),
  })
  .describe('Limits for all runs together. Default: unlimited.')

export const limitsSchema = z
  .strictObject({
    maxTurns: count.optional().describe('Maximum number of model calls. Default: 50.'),
    maxTokens: count.optional().describe('Maximum number of tokens of all model calls. Default: 1000000.'),
    maxDurationMs: milliseconds.optional().describe('Longest time of a run. Default: 600000.'),
    maxDepth: count.optional().describe('Maximum number of levels of child runs. Default: 10.'),
    maxCost: z
      .number()
      .min(0)
      .optional()
      .describe('Maximum cost in US dollars. Requires a model with known prices. Default: none.'),
  })
  .describe('Limits for one run.')
