import * as z from 'zod'
import { messageSchema, type Message } from './message.ts'

/** A part of what is sent to a model: messages of the transcript, or messages that replace them. */
export const viewPartSchema = z.discriminatedUnion('type', [
  /**
   * Positions in the transcript, from 0. The transcript begins with the messages of the runs that this run continues.
   * `to` is exclusive.
   */
  z.object({ type: z.literal('kept'), from: z.int().min(0), to: z.int().min(0) }),
  z.object({ type: z.literal('written'), messages: z.array(messageSchema) }),
])
/** A part of what is sent to a model. */
export type ViewPart =
  /**
   * Positions in the transcript, from 0. The transcript begins with the messages of the runs that this run continues.
   * `to` is exclusive.
   */
  { type: 'kept'; from: number; to: number } | { type: 'written'; messages: Message[] }

/** Size of a request before or after a compaction. */
export const contextSizeSchema = z.object({
  messages: z.int().min(0),
  /** Estimated tokens of the whole request. Absent if neither the policy nor a middleware needed a count. */
  tokens: z.int().min(0).optional(),
})
/** Size of a request before or after a compaction. */
export interface ContextSize {
  messages: number
  /** Estimated tokens of the whole request. Absent if neither the policy nor a middleware needed a count. */
  tokens?: number | undefined
}
