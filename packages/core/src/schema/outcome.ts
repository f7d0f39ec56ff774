import * as z from 'zod'
import type { ErrorInfo } from './error-info.ts'
import { errorInfoSchema } from './error-info-schema.ts'
import { finishReasonSchema, type FinishReason } from './message.ts'

/** Why a run was cancelled. The first reason counts. */
export const cancelReasonSchema = z.object({
  kind: z.enum(['user', 'guard', 'timeout', 'budget', 'shutdown', 'parent']),
  detail: z.string().optional(),
})
/** Why a run was cancelled. */
export interface CancelReason {
  kind: 'user' | 'guard' | 'timeout' | 'budget' | 'shutdown' | 'parent'
  detail?: string | undefined
}

/** Name of a limit. */
export const limitNameSchema = z.enum(['turns', 'tokens', 'duration', 'cost'])
/** Name of a limit. */
export type LimitName = 'turns' | 'tokens' | 'duration' | 'cost'

/** The limit that a run reached, with `value >= max`. Duration is in milliseconds, cost in US dollars. */
export const limitHitSchema = z.object({ limit: limitNameSchema, max: z.number(), value: z.number() })
/** The limit that a run reached, with `value >= max`. */
export interface LimitHit {
  limit: LimitName
  max: number
  value: number
}

/** How a run ended. */
export const outcomeSchema = z.discriminatedUnion('status', [
  /** The run completed. `finish` tells whether the last answer is complete (`stop`), truncated, filtered or refused. */
  z.object({ status: z.literal('completed'), finish: finishReasonSchema }),
  z.object({ status: z.literal('limit'), hit: limitHitSchema }),
  z.object({ status: z.literal('cancelled'), reason: cancelReasonSchema }),
  /** An input filter rejected the run's input. No model was called. */
  z.object({ status: z.literal('rejected'), filter: z.string(), reason: z.string() }),
  z.object({ status: z.literal('failed'), error: errorInfoSchema }),
])
/** How a run ended. */
export type Outcome =
  /** The run completed. `finish` tells whether the last answer is complete (`stop`), truncated, filtered or refused. */
  | { status: 'completed'; finish: FinishReason }
  | { status: 'limit'; hit: LimitHit }
  | { status: 'cancelled'; reason: CancelReason }
  /** An input filter rejected the run's input. No model was called. */
  | { status: 'rejected'; filter: string; reason: string }
  | { status: 'failed'; error: ErrorInfo }
