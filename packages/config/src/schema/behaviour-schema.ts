import * as z from 'zod'
import { retrySchema } from './retry-schema.ts'
import { count, lasting, milliseconds, words } from './scalars.ts'
import { settingsSchema } from './settings-schema.ts'

const roles = z.array(words).min(1)

const permissionSchema = z.union([
  z.enum(['allow', 'deny', 'ask']),
  z.strictObject({ effect: z.literal('allow'), roles: roles.describe('Whose calls run.') }),
  z.strictObject({
    effect: z.literal('ask'),
    roles: roles.optional().describe('Who may decide. Default: anybody.'),
    prompt: words.optional().describe('What the person is asked.'),
    expiresInMs: lasting.optional().describe('Default: never.'),
  }),
])

export const quotaSchema = z
  .strictObject({
    maxConcurrentRuns: count.optional(),
    onFull: z.enum(['wait', 'refuse']).optional().describe('What becomes of a run more. Default: wait.'),
    maxConcurrentToolCalls: count.optional(),
    maxTokensPerTurn: count.optional(),
    maxTotalTokens: count.optional(),
  })
  .describe('What all runs may take together. Default: unlimited.')

export const limitsSchema = z
  .strictObject({
    maxTurns: count.optional().describe('Model calls. Default: 50.'),
    maxTokens: count.optional().describe('Tokens of all calls together. Default: 1000000.'),
    maxDurationMs: milliseconds.optional().describe('Default: 600000.'),
    maxCost: z.number().min(0).optional().describe('US dollars; needs a model with known prices. Default: none.'),
  })
  .describe('How far one run may go.')

/** What agents say for themselves, or `defaults` for all of them. */
export const behaviourFields = {
  model: words.optional().describe("A name of 'models', or provider/id with a name of 'providers'."),
  settings: settingsSchema.optional(),
  retry: retrySchema
    .optional()
    .describe("When model calls are made again. Default, field by field: as the provider's."),
  limits: limitsSchema.optional(),
  onLimit: z.enum(['stop', 'fail', 'answer']).optional().describe('What happens at a limit. Default: stop.'),
  toolExecution: z
    .union([z.enum(['parallel', 'sequential']), z.strictObject({ batch: count })])
    .optional()
    .describe('How the calls of one answer run. Default: parallel.'),
  toolTimeoutMs: lasting.optional().describe('For tools that name none. Default: none.'),
  permissions: z
    .array(
      z.strictObject({
        tool: words.describe('Name of a tool, in which * stands for any characters.'),
        permission: permissionSchema,
      }),
    )
    .optional()
    .describe('Whether calls may run: the first rule that fits counts in the place of what the tool says itself.'),
}
