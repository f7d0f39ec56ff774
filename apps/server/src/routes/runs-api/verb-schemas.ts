import { approvalDecisionSchema, jsonSchema, toolResultPartSchema, userPartSchema } from '@parley/core/schema'
import type { UserMessage, UserPart } from '@parley/core'
import { userMessage } from '@parley/core'
import type {
  CancelRequest,
  CompactRequest,
  DecideRequest,
  ForkRequest,
  MessageRequest,
  RecordOutcomeRequest,
  RerunRequest,
  StartRequest,
  SubmitRequest,
} from '@parley/runs-api'
import * as z from 'zod'
import { storedValue } from './stored-value.ts'

const userPart = storedValue(userPartSchema)
const toolResultPart = storedValue(toolResultPartSchema)
const approvalDecision = storedValue(approvalDecisionSchema)
const json = storedValue(jsonSchema)

const id = z.string().min(1).max(256)
const longText = z.string().max(1_000_000)
const input = z.union([longText, z.array(userPart).max(1_000)])
const data = z.record(z.string(), json)

const changes = {
  agent: id.optional(),
  model: id.optional(),
  instructions: longText.optional(),
  settings: data.optional(),
}

/** Bodies of the routes that change something. The types are those of `@parley/runs-api`. */
export const startSchema: z.ZodType<StartRequest> = z.strictObject({
  ...changes,
  agent: id,
  input,
  sessionId: id.optional(),
  variables: data.optional(),
  metadata: data.optional(),
  context: json.optional(),
})

const replacedResult = z.strictObject({
  callId: id,
  content: z.union([longText, z.array(toolResultPart).max(1_000)]),
  structured: json.optional(),
  isError: z.boolean().optional(),
})

export const forkSchema: z.ZodType<ForkRequest> = z.strictObject({
  ...changes,
  at: z.int().min(1).optional(),
  input: input.optional(),
  results: z.array(replacedResult).max(1_000).optional(),
  sessionId: id.optional(),
})

export const rerunSchema: z.ZodType<RerunRequest> = z
  .strictObject({
    ...changes,
    times: z.int().min(1).max(10).optional(),
    input: input.optional(),
    sessionId: id.optional(),
  })
  .refine(({ times = 1, sessionId }) => times === 1 || sessionId === undefined, {
    path: ['sessionId'],
    message: 'must be absent if `times` is above 1, because a session has one unfinished run',
  })

export const messageSchema: z.ZodType<MessageRequest> = z.strictObject({
  message: z.union([longText.min(1), z.array(userPart).min(1).max(1_000)]),
})

export const cancelSchema: z.ZodType<CancelRequest> = z.strictObject({ reason: z.string().max(10_000).optional() })

export const compactSchema: z.ZodType<CompactRequest> = z.strictObject({
  keep: z.int().min(1).max(1_000_000).optional(),
  focus: z.string().min(1).max(10_000).optional(),
})

export const submitSchema: z.ZodType<SubmitRequest> = z.strictObject({
  callId: id,
  output: json,
  isError: z.boolean().optional(),
})

export const decideSchema: z.ZodType<DecideRequest> = z
  .strictObject({ decision: approvalDecision, runId: id.optional() })
  .refine(({ decision }) => decision.type !== 'timed-out', {
    path: ['decision'],
    message: 'must be approved, rejected, modified or escalated: only the clock lets a request time out',
  }) as z.ZodType<DecideRequest>

export const recordOutcomeSchema: z.ZodType<RecordOutcomeRequest> = z.strictObject({
  tookEffect: z.boolean(),
  note: z.string().max(10_000),
})

/** The message of a text, or of texts and files. */
export function toMessage(given: string | readonly UserPart[]): UserMessage {
  return typeof given === 'string' ? userMessage(given) : { role: 'user', content: [...given] }
}
