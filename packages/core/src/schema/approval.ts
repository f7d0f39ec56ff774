import * as z from 'zod'
import { jsonSchema, type Json } from './json.ts'

/** A user or service that starts a run or decides an approval. */
export const principalSchema = z.object({ id: z.string(), roles: z.array(z.string()) })
/** A user or service that starts a run or decides an approval. */
export interface Principal {
  id: string
  roles: string[]
}

/** A request to approve a tool call. A decision applies to this call and this input only. */
export const approvalRequestSchema = z.object({
  approvalId: z.string(),
  /** Id of the run that made the call, if that is a child run of the run that reports the request. */
  runId: z.string().optional(),
  callId: z.string(),
  name: z.string(),
  /** Input that the handler receives after approval. */
  input: jsonSchema,
  /** Question for the approver. */
  prompt: z.string(),
  /** Roles of which the approver must have one. Absent: any principal may decide. */
  roles: z.array(z.string()).optional(),
  /** Milliseconds from the request until it times out. Absent: never. */
  expiresInMs: z.number().optional(),
  /** Time at which the request times out, in milliseconds since the epoch. Absent: never. */
  expiresAt: z.int().optional(),
})
/** A request to approve a tool call. A decision applies to this call and this input only. */
export interface ApprovalRequest {
  approvalId: string
  /** Id of the run that made the call, if that is a child run of the run that reports the request. */
  runId?: string | undefined
  callId: string
  name: string
  /** Input that the handler receives after approval. */
  input: Json
  /** Question for the approver. */
  prompt: string
  /** Roles of which the approver must have one. Absent: any principal may decide. */
  roles?: string[] | undefined
  /** Milliseconds from the request until it times out. Absent: never. */
  expiresInMs?: number | undefined
  /** Time at which the request times out, in milliseconds since the epoch. Absent: never. */
  expiresAt?: number | undefined
}

const decisions = z.discriminatedUnion('type', [
  /** Executes the call once, with the input of the request. */
  z.object({ type: z.literal('approved') }),
  /** Does not execute the call. The model reads the reason. */
  z.object({ type: z.literal('rejected'), reason: z.string() }),
  /** Validates another input and executes the call once with it. */
  z.object({ type: z.literal('modified'), input: jsonSchema }),
  /** Repeats the request for other roles. */
  z.strictObject({ type: z.literal('escalated'), roles: z.array(z.string()), prompt: z.string().optional() }),
  /** The request timed out. The call is not executed. */
  z.object({ type: z.literal('timed-out') }),
])

/** Does not execute the call. Another agent continues the run, with `task` as a user message. */
const escalatedToAgent = z.strictObject({
  type: z.literal('escalated'),
  /** Name of one of the agent's `handoffs`, or of an agent that the runtime knows. For a child run's call: one that the runtime knows. */
  agent: z.string(),
  task: z.string().optional(),
})

/** Decision about an approval request. */
export const approvalDecisionSchema = z.union([decisions, escalatedToAgent])
/** Decision about an approval request. */
export type ApprovalDecision =
  /** Executes the call once, with the input of the request. */
  | { type: 'approved' }
  /** Does not execute the call. The model reads the reason. */
  | { type: 'rejected'; reason: string }
  /** Validates another input and executes the call once with it. */
  | { type: 'modified'; input: Json }
  /** Repeats the request for other roles. */
  | { type: 'escalated'; roles: string[]; prompt?: string | undefined }
  /** The request timed out. The call is not executed. */
  | { type: 'timed-out' }
  /** Does not execute the call. Another agent continues the run, with `task` as a user message. */
  | {
      type: 'escalated'
      /** Name of one of the agent's `handoffs`, or of an agent that the runtime knows. For a child run's call: one that the runtime knows. */
      agent: string
      task?: string | undefined
    }
