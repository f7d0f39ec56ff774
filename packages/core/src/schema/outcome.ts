import * as z from 'zod'
import { errorInfoSchema } from './error-info.ts'
import { finishReasonSchema } from './message.ts'

/** Who or what stopped a run. The first cause wins. */
export const cancelReasonSchema = z.object({
  kind: z.enum(['user', 'guard', 'timeout', 'budget', 'shutdown', 'parent']),
  detail: z.string().optional(),
})
export type CancelReason = z.infer<typeof cancelReasonSchema>

export const limitNameSchema = z.enum(['turns', 'tokens', 'duration', 'cost'])
export type LimitName = z.infer<typeof limitNameSchema>

/** The limit a run met: `value >= max`. Turns and tokens are counts, duration is in ms, cost in US dollars. */
export const limitHitSchema = z.object({ limit: limitNameSchema, max: z.number(), value: z.number() })
export type LimitHit = z.infer<typeof limitHitSchema>

/** How a run ended. */
export const outcomeSchema = z.discriminatedUnion('status', [
  /** `finish` tells a whole answer (`stop`) from a truncated, filtered or refused one. */
  z.object({ status: z.literal('completed'), finish: finishReasonSchema }),
  z.object({ status: z.literal('limit'), hit: limitHitSchema }),
  z.object({ status: z.literal('cancelled'), reason: cancelReasonSchema }),
  /** An input filter refused what the person sent; no model was asked. */
  z.object({ status: z.literal('rejected'), filter: z.string(), reason: z.string() }),
  z.object({ status: z.literal('failed'), error: errorInfoSchema }),
])
export type Outcome = z.infer<typeof outcomeSchema>
