import * as z from 'zod'
import { retrySchema } from './retry-schema.ts'
import { count, lasting, milliseconds, words } from './scalars.ts'
import { settingsSchema } from './settings-schema.ts'

const roles = z.array(words).min(1)

const permissionSchema = z.union([
  z.enum(['allow', 'deny', 'ask']),
  z.strictObject({ effect: z.literal('allow'), roles: roles.describe('Roles whose calls run.') }),
  z.strictObject({
    effect: z.literal('ask'),
    roles: roles.optional().describe('Roles that may decide. Default: every role.'),
    prompt: words.optional().describe('The question to the approver.'),
    expiresInMs: lasting.optional().describe('How long the request is open. Default: for ever.'),
  }),
])

export const quotaSchema = z
  .strictObject({
    maxConcurrentRuns: count.optional(),
    onFull: z.enum(['wait', 'refuse']).optional().describe('What happens to a run above the limit. Default: wait.'),
    maxConcurrentToolCalls: count.optional(),
    maxTokensPerTurn: count.optional(),
    maxTotalTokens: count.optional(),
  })
  .describe('Limits for all runs together. Default: unlimited.')

export const limitsSchema = z
  .strictObject({
    maxTurns: count.optional().describe('Maximum number of model calls. Default: 50.'),
    maxTokens: count.optional().describe('Maximum number of tokens of all model calls. Default: 1000000.'),
    maxDurationMs: milliseconds.optional().describe('Longest time of a run. Default: 600000.'),
    maxCost: z
      .number()
      .min(0)
      .optional()
      .describe('Maximum cost in US dollars. Requires a model with known prices. Default: none.'),
  })
  .describe('Limits for one run.')

/** Fields of agents that `defaults` can set for all of them. */
export const behaviourFields = {
  model: words.optional().describe("Name of a model in 'models', or provider/id with a provider of 'providers'."),
  settings: settingsSchema.optional(),
  retry: retrySchema.optional().describe("How failed model calls are retried. Default for each field: the provider's."),
  limits: limitsSchema.optional(),
  onLimit: z.enum(['stop', 'fail', 'answer']).optional().describe('What happens at a limit. Default: stop.'),
  toolExecution: z
    .union([z.enum(['parallel', 'sequential']), z.strictObject({ batch: count })])
    .optional()
    .describe('How the tool calls of one answer run. Default: parallel.'),
  toolTimeoutMs: lasting.optional().describe('Timeout of tools that set none. Default: none.'),
  permissions: z
    .array(
      z.strictObject({
        tool: words.describe('Name of a tool; * matches any characters.'),
        permission: permissionSchema,
      }),
    )
    .optional()
    .describe('Permission rules. The first matching rule replaces the permission of the tool.'),
}
