import * as z from 'zod'
import { messageSchema } from './message.ts'

/** A part of what is sent to a model: messages of the run's log, or messages that replace others. */
export const viewPartSchema = z.discriminatedUnion('type', [
  /** Positions in the log, from 0 over all runs that the run continues. `to` is exclusive. */
  z.object({ type: z.literal('kept'), from: z.int().min(0), to: z.int().min(0) }),
  z.object({ type: z.literal('written'), messages: z.array(messageSchema) }),
])
/** A part of what is sent to a model. */
export type ViewPart = z.infer<typeof viewPartSchema>
