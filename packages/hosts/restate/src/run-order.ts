import type { DelegateResult, ErrorInfo, ModelSettings } from '@parley/core'
import {
  approvalDecisionSchema,
  clientToolSchema,
  submissionSchema,
  jsonSchema,
  messageSchema,
  principalSchema,
  userMessageSchema,
} from '@parley/core/schema'
import type { OpenCall } from '@parley/engine/host'
import * as z from 'zod'
import { storedValue } from './stored-value.ts'

const message = storedValue(messageSchema)
const userMessage = storedValue(userMessageSchema)
const principal = storedValue(principalSchema)
const json = storedValue(jsonSchema)
const clientTool = storedValue(clientToolSchema)
const approvalDecision = storedValue(approvalDecisionSchema)
const submission = storedValue(submissionSchema)

const id = z.string().min(1)
const input = z.union([z.string(), userMessage])
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
  history: z.array(message).readonly().optional(),
  principal: principal.optional(),
  variables: z.record(z.string(), json).optional(),
  /** Settings of the run. This schema accepts any JSON; the worker checks them, because it has the agent. */
  settings: z.custom<ModelSettings>(value => jsonSchema.safeParse(value).success).optional(),
  workspace: z.string().optional(),
  context: json.optional(),
  instructions: z.string().optional(),
  metadata: z.record(z.string(), json).optional(),
  clientTools: z.array(clientTool).readonly().optional(),
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
  decision: z.union([approvalDecision, submission]),
  by: principal.optional(),
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

/**
 * The result of a run, read from its journal. Only a completed run has a `text` and an `output`, so code reads them after a
 * check of the status.
 */
export type HostedResult = DelegateResult & { readonly sessionId: string }

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
