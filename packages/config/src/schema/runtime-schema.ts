import * as z from 'zod'
import { quotaSchema } from './behaviour-schema.ts'
import { lasting, milliseconds, words } from './scalars.ts'

export const runtimeSchema = z
  .strictObject({
    store: words.optional().describe('Where runs are kept: a SQLite file, or a postgres:// address.'),
    quota: quotaSchema.optional(),
    onClose: z.enum(['cancel', 'suspend']).optional().describe('What becomes of runs that closing cuts off.'),
    drainMs: milliseconds.optional().describe('How long runs may go on to their end when it closes. Default: 30000.'),
    graceMs: milliseconds.optional().describe('How long what is stopped then may take. Default: 5000.'),
    retention: z
      .strictObject({
        olderThanMs: milliseconds.describe('How long an ended run is kept after it was last written.'),
        scopes: z.array(words).optional().describe('Default: default.'),
        everyMs: lasting.optional().describe('How often to look. Default: 3600000.'),
      })
      .optional()
      .describe('Removes runs that have been over for long. Default: everything is kept.'),
    leaseMs: lasting.optional().describe("How long a claim outlives its worker's last heartbeat. Default: 15000."),
    captureRequests: z
      .enum(['none', 'show', 'keep'])
      .optional()
      .describe('What becomes of the requests models are sent. Default: none.'),
    autoResume: z.array(words).optional().describe('Scopes whose unfinished runs are gone on with. Default: none.'),
  })
  .describe('How runs are kept and closed.')
