import type { ErrorInfo, ModelSettings } from '@parley/core'
import {
  approvalDecisionSchema,
  jsonSchema,
  messageSchema,
  principalSchema,
  userMessageSchema,
} from '@parley/core/schema'
import type { ChildResult, OpenCall } from '@parley/engine'
import * as z from 'zod'

const id = z.string().min(1)
const input = z.union([z.string(), userMessageSchema])
const limit = z.number().optional()
const limitsSchema = z.strictObject({ maxTurns: limit, maxTokens: limit, maxCost: limit, maxDurationMs: limit })

/** A run to be begun, as it is sent to whichever worker takes it. */
export const runOrderSchema = z.strictObject({
  runId: id,
  sessionId: id,
  scope: id,
  agent: z.string(),
  input,
  history: z.array(messageSchema).readonly().optional(),
  principal: principalSchema.optional(),
  variables: z.record(z.string(), jsonSchema).optional(),
  /** Checked by the worker, which knows the agent. */
  settings: z.custom<ModelSettings>(value => jsonSchema.safeParse(value).success).optional(),
  workspace: z.string().optional(),
  instructions: z.string().optional(),
  metadata: z.record(z.string(), jsonSchema).optional(),
  /** Of a sub-agent's run. */
  caller: z
    .strictObject({ runId: id, callId: id, path: z.array(z.string()).readonly(), limits: limitsSchema })
    .optional(),
})
export type RunOrder = z.infer<typeof runOrderSchema>

/** What a person has decided about one waiting call. */
export const sentDecisionSchema = z.strictObject({
  approvalId: z.string(),
  decision: approvalDecisionSchema,
  by: principalSchema.optional(),
})
export type SentDecision = z.infer<typeof sentDecisionSchema>

const messageInputSchema = z.strictObject({ kind: z.enum(['steering', 'follow-up']), message: input })
export type MessageInput = z.infer<typeof messageInputSchema>

/** Something said to a run while it goes on: a message, or that a sub-agent that works for it waits for a person. */
export const sentInputSchema = z.union([messageInputSchema, z.strictObject({ kind: z.literal('asks'), runId: id })])
export type SentInput = z.infer<typeof sentInputSchema>

/** How a run has ended, from its journal. */
export interface HostedResult extends Omit<ChildResult, 'outcome' | 'output' | 'cost'> {
  readonly runId: string
  readonly sessionId: string
  readonly outcome: ChildResult['outcome']
  /** What fits the agent's output schema; absent where the agent has none. */
  readonly output?: ChildResult['output']
  readonly cost?: ChildResult['cost']
}

/** What became of an order. */
export type RunReport =
  | { readonly type: 'ended'; readonly result: HostedResult }
  /** It never began. */
  | { readonly type: 'refused'; readonly error: ErrorInfo }

/** What became of one step. Small: what was done is in the journal. */
export type StepReport =
  | { readonly type: 'went-on' }
  /** These calls come before the next step: those of a batch side by side, one batch after the other. */
  | { readonly type: 'calls'; readonly batches: readonly (readonly OpenCall[])[] }
  /** Nobody has to hold the run until one of these is decided, or the time is up. */
  | { readonly type: 'waits'; readonly approvalIds: readonly string[]; readonly waitMs?: number | undefined }
  | RunReport
