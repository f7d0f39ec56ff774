import * as z from 'zod'
import { jsonSchema } from './json.ts'

const text = z.string()
const count = z.number()

/** Fields of every model error. `detail` is the server's own message, without secrets. */
const modelFields = {
  provider: text,
  model: text.optional(),
  status: z.int().optional(),
  requestId: text.optional(),
  detail: text,
}

/** A reason why a value does not fit a schema. */
export const validationIssueSchema = z.object({
  /** JSON pointer into the value. `''` for the value itself. */
  path: text,
  message: text,
})
/** A reason why a value does not fit a schema. */
export type ValidationIssue = z.infer<typeof validationIssueSchema>

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

/** The stack of the exception and of its causes. For developers: neither models nor clients receive it. */
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

const runErrors = [
  z.object({ code: z.literal('config-invalid'), path: text, detail: text }),
  z.object({ code: z.literal('agent-unknown'), agent: text, known: z.array(text) }),
  /** A run did not complete. `detail` says what happened, and how to continue. */
  z.object({
    code: z.literal('run-failed'),
    agent: text,
    runId: text,
    status: z.enum(['limit', 'cancelled', 'rejected', 'failed', 'suspended', 'interrupted']),
    detail: text,
  }),
  /** A workflow ended because a step failed. `cause` is the code of the step's error, `detail` its message. */
  z.object({ code: z.literal('step-failed'), workflow: text, step: text, cause: text, detail: text }),
  z.object({ code: z.literal('selection-failed'), strategy: text, detail: text }),
  z.object({ code: z.literal('model-unknown'), model: text, known: z.array(text) }),
  z.object({ code: z.literal('run-unknown'), runId: text }),
  z.object({ code: z.literal('run-ended'), runId: text }),
  z.object({ code: z.literal('run-suspended'), runId: text }),
  /** `aliveUntil` is the end of the worker's last heartbeat, in milliseconds since the epoch. */
  z.object({ code: z.literal('run-busy'), runId: text, worker: text, aliveUntil: z.number().optional() }),
  z.object({
    code: z.literal('session-busy'),
    sessionId: text,
    runId: text,
    /** What the run waits for, if it is suspended. */
    waitsFor: z.array(text).optional(),
  }),
  z.object({ code: z.literal('approval-unknown'), runId: text.optional(), approvalId: text }),
  z.object({ code: z.literal('approval-decided'), runId: text, approvalId: text }),
  z.object({ code: z.literal('approval-forbidden'), approvalId: text, roles: z.array(text) }),
  /** The run has no tool call that waits for the client under this id. */
  z.object({ code: z.literal('client-call-unknown'), runId: text, callId: text }),
  /** The tool call already has a result, its time has passed, or its run has ended. */
  z.object({ code: z.literal('client-call-settled'), runId: text, callId: text }),
  z.object({ code: z.literal('input-rejected'), filter: text, reason: text }),
  /** None of the model's answers fits the agent's output schema. */
  z.object({ code: z.literal('output-invalid'), attempts: count, issues: z.array(validationIssueSchema) }),
  z.object({ code: z.literal('queue-full'), runId: text, capacity: count }),
  z.object({ code: z.literal('runtime-closed') }),
  z.object({
    code: z.literal('quota-exceeded'),
    quota: z.enum(['maxConcurrentRuns', 'maxTokensPerTurn', 'maxTokens', 'maxCost', 'maxRuns']),
    /** Owner of the quota: `runtime`, or `agents.` and the agent's name; with the run's key, if the quota has keys. */
    owner: text,
    max: count,
    value: count,
  }),
  /** The messages that must stay do not fit, so the request was not sent. */
  z.object({
    code: z.literal('context-unsatisfiable'),
    policy: text,
    /** Name of the exceeded bound: an option of the policy, or `window` for the model's window. */
    bound: text,
    /** The bound, in tokens. */
    max: count,
    /** Estimated tokens of the request, including instructions and tools. */
    tokens: count,
    /** Number of messages that stay. */
    messages: count,
    /** Estimated tokens of instructions and tools. */
    fixedTokens: count,
    /** Estimated tokens of the longest message. */
    longest: count,
  }),
  z.object({ code: z.literal('limit-reached'), limit: text, max: count, value: count }),
  z.object({ code: z.literal('internal'), detail: text, ...stackField }),
] as const

const storeErrors = [
  z.object({ code: z.literal('store-conflict'), runId: text, expected: z.int(), actual: z.int() }),
  z.object({ code: z.literal('store-fenced'), runId: text }),
  /** The run cannot end or be suspended, because its inbox has commands that it has not taken. */
  z.object({ code: z.literal('inbox-unread'), runId: text }),
  z.object({ code: z.literal('store-unavailable'), store: text, detail: text }),
  z.object({ code: z.literal('store-corrupt'), store: text, detail: text }),
  z.object({ code: z.literal('store-newer'), store: text, found: text, known: text }),
] as const

const outsideErrors = [
  z.object({ code: z.literal('mcp-server-failed'), server: text, detail: text }),
  /** A user must authorize this client at the server. */
  z.object({ code: z.literal('mcp-auth-required'), server: text, detail: text }),
  /** The server was reached, but did not answer the request. */
  z.object({
    code: z.literal('mcp-request-failed'),
    server: text,
    method: text,
    /**
     * Why the request failed. With `refused`, the request had no effect. With the other reasons, its effect is unknown.
     */
    reason: z.enum(['refused', 'timeout', 'lost', 'invalid']),
    detail: text,
    /** JSON-RPC error code of the server. */
    rpcCode: count.optional(),
    /** The timeout that was exceeded, in milliseconds. Present with the reason `timeout`. */
    timeoutMs: count.optional(),
  }),
  z.object({ code: z.literal('file-unreadable'), path: text, detail: text }),
  /** A path to which a workspace gives no access. The error does not name any path outside the workspace. */
  z.object({
    code: z.literal('path-refused'),
    /** The requested path. */
    path: text,
    reason: z.enum(['invalid', 'outside', 'sensitive', 'missing', 'unusable']),
    detail: text,
  }),
  /** A client sent an invalid request. */
  z.object({ code: z.literal('request-invalid'), path: text, detail: text }),
  /** A remote agent could not be reached, or rejected the request. `remoteCode` is its own error code. */
  z.object({
    code: z.literal('agent-request-failed'),
    url: text,
    status: z.int().optional(),
    remoteCode: text.optional(),
    detail: text,
    /** The wait that the server asks for. */
    retryAfterMs: count.optional(),
  }),
  /** A URL to which a network guard allows no connection. `url` has no user name, password or query. */
  z.object({ code: z.literal('url-refused'), url: text, reason: z.enum(['invalid', 'forbidden']), detail: text }),
  /** A request to a URL failed. */
  z.object({
    code: z.literal('url-failed'),
    url: text,
    detail: text,
    status: z.int().optional(),
    /** Whether the same request may succeed later. */
    retryable: z.boolean(),
  }),
  z.object({ code: z.literal('cancelled'), kind: text, detail: text.optional() }),
] as const

/** Every expected failure, as data. It survives serialization. */
export const errorInfoSchema = z.discriminatedUnion('code', [
  ...modelErrors,
  ...toolErrors,
  ...runErrors,
  ...storeErrors,
  ...outsideErrors,
])
/** An expected failure, as data. `describeError` writes its message. */
export type ErrorInfo = z.infer<typeof errorInfoSchema>
/** Code of an expected failure. */
export type ErrorCode = ErrorInfo['code']
