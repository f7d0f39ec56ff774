import * as z from 'zod'
import { limitsSchema } from './limits-schema.ts'
import { retrySchema } from './retry-schema.ts'
import { count, lasting, words } from './scalars.ts'
import { settingsSchema } from './settings-schema.ts'

const roles = z.array(words).min(1)

const permissionSchema = z.union([
  z.enum(['allow', 'deny', 'ask']),
  z.strictObject({ effect: z.literal('allow'), roles: roles.describe('Roles whose calls run.') }),
  z.strictObject({
    effect: z.literal('ask'),
    roles: roles.optional().describe('Roles that may decide. Default: every role.'),
    prompt: words.optional().describe('The question to the approver.'),
    expiresInMs: lasting.optional().describe('How long the request is open. Default: forever.'),
  }),
])

const middlewareNames = z.array(words).optional()

/** Fields of agents that `defaults` can set for all of them. */
export const defaultsFields = {
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
  clientTools: z
    .enum(['accept', 'refuse'])
    .optional()
    .describe('Whether clients may bring tools that they execute themselves. Default: refuse.'),
  permissions: z
    .array(
      z.strictObject({
        tool: words.describe('Name of a tool; * matches any characters.'),
        permission: permissionSchema,
      }),
    )
    .optional()
    .describe('Permission rules. The first matching rule replaces the permission of the tool.'),
  middleware: middlewareNames.describe(
    "Names in 'middleware', or of registered middleware. The first one sees a call first. Those of 'defaults' come before those of an agent.",
  ),
}
