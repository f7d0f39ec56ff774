import type { ErrorInfo, ModelSettings } from '@parley/core'
import {
  approvalDecisionSchema,
  clientToolSchema,
  submissionSchema,
  jsonSchema,
  messageSchema,
  principalSchema,
  userMessageSchema,
} from '@parley/core/schema'
import type { ChildResult } from '@parley/engine'
import type { OpenCall } from '@parley/engine/host'
import * as z from 'zod'

const id = z.string().min(1)
const input = z.union([z.string(), userMessageSchema])
const limit = z.number().optional()
const limitsSchema = z.strictObject({
  maxTurns: limit,
  maxTokens: limit,
  maxCost: limit,
  maxDurationMs: limit,
  maxDepth: limit,
})

/** A run to start, as the client or a parent run sends it to a worker. */
export const runOrderSchema = z.strictObject({
  runId: id,
  sessionId: id,
  scope: id,
  agent: z.string(),
  input,
  history: z.array(messageSchema).readonly().optional(),
  principal: principalSchema.optional(),
  variables: z.record(z.string(), jsonSchema).optional(),
  /** Settings of the run. This schema accepts any JSON; the worker checks them, because it has the agent. */
  settings: z.custom<ModelSettings>(value => jsonSchema.safeParse(value).success).optional(),
  workspace: z.string().optional(),
  instructions: z.string().optional(),
  metadata: z.record(z.string(), jsonSchema).optional(),
  clientTools: z.array(clientToolSchema).readonly().optional(),
  acceptClientTools: z.boolean().optional(),
  /** The parent run and its call. Missing for a root run. */
  parent: z
    .strictObject({ runId: id, callId: id, path: z.array(z.string()).readonly(), limits: limitsSchema })
    .optional(),
})
export type RunOrder = z.infer<typeof runOrderSchema>

/** The answer to one pending request: a decision on an approval, or the result of a call that the client executes. */
export const sentDecisionSchema = z.strictObject({
  approvalId: z.string(),
  decision: z.union([approvalDecisionSchema, submissionSchema]),
  by: principalSchema.optional(),
})
export type SentDecision = z.infer<typeof sentDecisionSchema>

const messageInputSchema = z.strictObject({ kind: z.enum(['steering', 'follow-up']), message: input })
export type MessageInput = z.infer<typeof messageInputSchema>

/** An input for a run in progress: a message, or the notice that a child run is suspended for approval. */
export const sentInputSchema = z.union([
  messageInputSchema,
  z.strictObject({ kind: z.literal('child-suspended'), runId: id }),
])
export type SentInput = z.infer<typeof sentInputSchema>

/** The result of a run, read from its journal. */
export interface HostedResult extends Omit<ChildResult, 'outcome' | 'output' | 'cost'> {
  readonly runId: string
  readonly sessionId: string
  readonly outcome: ChildResult['outcome']
  /** Data that fits the agent's output schema. Missing if the agent has no output schema. */
  readonly output?: ChildResult['output']
  /** Cost of the run. Missing if no price of a model is known. */
  readonly cost?: ChildResult['cost']
}

/** The outcome of an order. */
export type RunReport =
  | { readonly type: 'ended'; readonly result: HostedResult }
  /** The run never started. */
  | { readonly type: 'refused'; readonly error: ErrorInfo }

/** The outcome of one step. It is small data, because the journal contains the work itself. */
export type StepReport =
  | { readonly type: 'continue' }
  /** Calls to run before the next step. The batches run in order, the calls of one batch concurrently. */
  | { readonly type: 'calls'; readonly batches: readonly (readonly OpenCall[])[] }
  /** The run is suspended until one of these approvals is decided, or `waitMs` has passed. */
  | { readonly type: 'suspended'; readonly approvalIds: readonly string[]; readonly waitMs?: number | undefined }
  | RunReport
