import * as z from 'zod'
import { messageSchema } from './message.ts'

/** A piece of what a model is sent: messages of the run's log, or messages that stand in for others. */
export const viewPartSchema = z.discriminatedUnion('type', [
  /** Positions of the log, counted from 0 over all runs it goes on from; `to` is the first one after. */
  z.object({ type: z.literal('kept'), from: z.int().min(0), to: z.int().min(0) }),
  z.object({ type: z.literal('written'), messages: z.array(messageSchema) }),
])
export type ViewPart = z.infer<typeof viewPartSchema>
