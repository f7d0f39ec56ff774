import * as z from 'zod'
import { agentErrorSchema } from './agent-error.ts'

/** What responses, messages and content have in common. */
export const eventFields = {
  /** Counts the events of a stream from 0; null in a value inside another one. */
  sequence_number: z.int().min(0).nullable().default(null),
  error: agentErrorSchema.nullable().default(null),
}
