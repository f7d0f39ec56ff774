import * as z from 'zod'
import { jsonSchema } from './json.ts'

const text = z.string()
const count = z.number()

const modelFields = {
  provider: text,
  model: text.optional(),
  status: z.int().optional(),
  requestId: text.optional(),
  detail: text,
}

/** A reason why a value does not fit a schema. */
export const validationIssueSchema = z.object({
  path: text,
  message: text,
})

const modelErrors = [
  z.object({ code: z.literal('model-auth'), ...modelFields }),
  z.object({ code: z.literal('model-permission'), ...modelFields }),
  z.object({ code: z.literal('model-not-found'), ...modelFields }),
  z.object({ code: z.literal('model-rate-limited'), ...modelFields, retryAfterMs: count.optional() }),
  z.object({ code: z.literal('model-quota'), ...modelFields }),
  z.object({ code: z.literal('model-context-length'), ...modelFields }),
  z.object({ code: z.literal('model-content-filter'), ...modelFields }),
  z.object({ code: z.literal('model-invalid-request'), ...modelFields }),
  z.object({ code: z.literal('model-overloaded'), ...modelFields, retryAfterMs: count.optional() }),
  z.object({ code: z.literal('model-server'), ...modelFields, retryAfterMs: count.optional() }),
  z.object({
    code: z.literal('model-timeout'),
    ...modelFields,
    deadline: z.enum(['connect', 'first-byte', 'idle', 'total', 'server']),
    ms: count.optional(),
  }),
  z.object({ code: z.literal('model-network'), ...modelFields }),
  z.object({ code: z.literal('model-stream'), ...modelFields }),
  z.object({ code: z.literal('model-unsupported'), ...modelFields }),
] as const

const stackField = { stack: text.optional() }

const toolErrors = [
  z.object({ code: z.literal('tool-unknown'), tool: text, available: z.array(text) }),
  z.object({ code: z.literal('tool-arguments-unparsable'), tool: text, detail: text }),
  z.object({ code: z.literal('tool-input-invalid'), tool: text, issues: z.array(validationIssueSchema) }),
  z.object({ code: z.literal('tool-output-invalid'), tool: text, issues: z.array(validationIssueSchema) }),
  z.object({
    code: z.literal('tool-failed'),
    tool: text,
    detail: text,
    retryable: z.boolean().optional(),
    metadata: jsonSchema.optional(),
    ...stackField,
  }),
  z.object({ code: z.literal('tool-timeout'), tool: text, ms: count }),
  z.object({ code: z.literal('tool-denied'), tool: text, reason: text }),
  z.object({ code: z.literal('tool-cancelled'), tool: text, started: z.boolean() }),
  z.object({ code: z.literal('tool-interrupted'), tool: text }),
  z.object({ code: z.literal('tool-skipped'), tool: text }),
  z.object({ code: z.literal('tool-schema-invalid'), tool: text, detail: text }),
] as const

/** Names of quotas in journals of earlier versions. */
const EARLIER_QUOTAS = new Map<unknown, string>([
  ['maxTotalTokens', 'maxTokens'],
  ['maxTotalCost', 'maxCost'],
  ['maxTotalRuns', 'maxRuns'],
])
const quotaName = z.preprocess(
  name => EARLIER_QUOTAS.get(name) ?? name,
  z.enum(['maxConcurrentRuns', 'maxTokensPerTurn', 'maxTokens', 'maxCost', 'maxRuns']),
)

const runErrors = [
  z.object({ code: z.literal('config-invalid'), path: text, detail: text }),
  z.object({ code: z.literal('agent-unknown'), agent: text, known: z.array(text) }),
  z.object({
    code: z.literal('run-failed'),
    agent: text,
    runId: text,
    status: z.enum(['limit', 'cancelled', 'rejected', 'failed', 'suspended', 'interrupted']),
    detail: text,
  }),
  z.object({ code: z.literal('step-failed'), workflow: text, step: text, cause: text, detail: text }),
  z.object({ code: z.literal('selection-failed'), strategy: text, detail: text }),
  z.object({ code: z.literal('model-unknown'), model: text, known: z.array(text) }),
  z.object({ code: z.literal('run-unknown'), runId: text }),
  z.object({ code: z.literal('run-ended'), runId: text }),
  z.object({ code: z.literal('run-suspended'), runId: text }),
  z.object({ code: z.literal('run-busy'), runId: text, worker: text, aliveUntil: z.number().optional() }),
  z.object({
    code: z.literal('session-busy'),
    sessionId: text,
    runId: text,
    waitsFor: z.array(text).optional(),
  }),
  z.object({ code: z.literal('approval-unknown'), runId: text.optional(), approvalId: text }),
  z.object({ code: z.literal('approval-decided'), runId: text, approvalId: text }),
  z.object({ code: z.literal('approval-forbidden'), approvalId: text, roles: z.array(text) }),
  z.object({ code: z.literal('client-call-unknown'), runId: text, callId: text }),
  z.object({ code: z.literal('client-call-settled'), runId: text, callId: text }),
  z.object({ code: z.literal('input-rejected'), filter: text, reason: text }),
  z.object({ code: z.literal('output-invalid'), attempts: count, issues: z.array(validationIssueSchema) }),
  z.object({ code: z.literal('queue-full'), runId: text, capacity: count }),
  z.object({ code: z.literal('runtime-closed') }),
  z.object({
    code: z.literal('quota-exceeded'),
    quota: quotaName,
    owner: text,
    max: count,
    value: count,
  }),
  z.object({
    code: z.literal('context-unsatisfiable'),
    policy: text,
    bound: text,
    max: count,
    tokens: count,
    messages: count,
    fixedTokens: count,
    longest: count,
  }),
  z.object({ code: z.literal('limit-reached'), limit: text, max: count, value: count }),
  z.object({ code: z.literal('internal'), detail: text, ...stackField }),
] as const

const storeErrors = [
  z.object({ code: z.literal('store-conflict'), runId: text, expected: z.int(), actual: z.int() }),
  z.object({ code: z.literal('store-fenced'), runId: text }),
  z.object({ code: z.literal('inbox-unread'), runId: text }),
  z.object({ code: z.literal('store-unavailable'), store: text, detail: text }),
  z.object({ code: z.literal('store-corrupt'), store: text, detail: text }),
  z.object({ code: z.literal('store-newer'), store: text, found: text, known: text }),
] as const

const outsideErrors = [
  z.object({ code: z.literal('mcp-server-failed'), server: text, detail: text }),
  z.object({ code: z.literal('mcp-auth-required'), server: text, detail: text }),
  z.object({
    code: z.literal('mcp-request-failed'),
    server: text,
    method: text,
    reason: z.enum(['refused', 'timeout', 'lost', 'invalid']),
    detail: text,
    rpcCode: count.optional(),
    timeoutMs: count.optional(),
  }),
  z.object({ code: z.literal('file-unreadable'), path: text, detail: text }),
  z.object({
    code: z.literal('path-refused'),
    path: text,
    reason: z.enum(['invalid', 'outside', 'sensitive', 'missing', 'unusable']),
    detail: text,
  }),
  z.object({ code: z.literal('request-invalid'), path: text, detail: text }),
  z.object({
    code: z.literal('agent-request-failed'),
    url: text,
    status: z.int().optional(),
    remoteCode: text.optional(),
    detail: text,
    retryAfterMs: count.optional(),
  }),
  z.object({ code: z.literal('url-refused'), url: text, reason: z.enum(['invalid', 'forbidden']), detail: text }),
  z.object({
    code: z.literal('url-failed'),
    url: text,
    detail: text,
    status: z.int().optional(),
    retryable: z.boolean(),
  }),
  z.object({ code: z.literal('cancelled'), kind: text, detail: text.optional() }),
] as const

/** Schema of `ErrorInfo`, which documents the fields. */
export const errorInfoSchema = z.discriminatedUnion('code', [
  ...modelErrors,
  ...toolErrors,
  ...runErrors,
  ...storeErrors,
  ...outsideErrors,
])
