import * as z from 'zod'
import { quotaSchema } from './limits-schema.ts'
import { lasting, milliseconds, words } from './scalars.ts'

export const runtimeSchema = z
  .strictObject({
    store: words.optional().describe('Store of the runs: a SQLite file or a postgres:// address.'),
    quota: quotaSchema.optional(),
    onClose: z
      .enum(['cancel', 'suspend'])
      .optional()
      .describe('What happens to unfinished runs when the runtime closes.'),
    drainMs: milliseconds.optional().describe('How long runs may finish when the runtime closes. Default: 30000.'),
    graceMs: milliseconds.optional().describe('How long stopped runs may clean up after that. Default: 5000.'),
    retention: z
      .strictObject({
        olderThanMs: milliseconds.describe('Age at which ended runs are removed, counted from their last entry.'),
        scopes: z.array(words).optional().describe('Scopes whose runs are removed. Default: default.'),
        everyMs: lasting.optional().describe('How often old runs are removed. Default: 3600000.'),
      })
      .optional()
      .describe('Removes old runs. Default: all runs are kept.'),
    leaseMs: lasting.optional().describe('How long a worker holds a run after its last heartbeat. Default: 15000.'),
    captureRequests: z
      .enum(['none', 'show', 'keep'])
      .optional()
      .describe('Whether requests to models are recorded: show them to readers only, or keep them. Default: none.'),
    autoResume: z
      .array(words)
      .optional()
      .describe('Scopes whose unfinished runs are resumed at the start. Default: none.'),
  })
  .describe('Options of the runtime.')
