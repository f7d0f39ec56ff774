import type { Json } from './json.ts'

/** Fields of every model error. `detail` is the server's own message, without secrets. */
interface ModelError<TCode extends string> {
  code: TCode
  provider: string
  model?: string | undefined
  status?: number | undefined
  requestId?: string | undefined
  detail: string
}

/** A model error after which the server may say when to ask again. */
interface RetryableModelError<TCode extends string> extends ModelError<TCode> {
  retryAfterMs?: number | undefined
}

interface ModelTimeout extends ModelError<'model-timeout'> {
  deadline: 'connect' | 'first-byte' | 'idle' | 'total' | 'server'
  ms?: number | undefined
}

/** A reason why a value does not fit a schema. */
export interface ValidationIssue {
  /** JSON pointer into the value. `''` for the value itself. */
  path: string
  message: string
}

type ModelErrors =
  | ModelError<'model-auth'>
  | ModelError<'model-permission'>
  | ModelError<'model-not-found'>
  | RetryableModelError<'model-rate-limited'>
  | ModelError<'model-quota'>
  | ModelError<'model-context-length'>
  | ModelError<'model-content-filter'>
  | ModelError<'model-invalid-request'>
  | RetryableModelError<'model-overloaded'>
  | RetryableModelError<'model-server'>
  | ModelTimeout
  | ModelError<'model-network'>
  | ModelError<'model-stream'>
  | ModelError<'model-unsupported'>

type ToolErrors =
  | { code: 'tool-unknown'; tool: string; available: string[] }
  | { code: 'tool-arguments-unparsable'; tool: string; detail: string }
  | { code: 'tool-input-invalid'; tool: string; issues: ValidationIssue[] }
  | { code: 'tool-output-invalid'; tool: string; issues: ValidationIssue[] }
  | {
      code: 'tool-failed'
      tool: string
      detail: string
      retryable?: boolean | undefined
      metadata?: Json | undefined
      /** The stack of the exception and of its causes. For developers: neither models nor clients receive it. */
      stack?: string | undefined
    }
  | { code: 'tool-timeout'; tool: string; ms: number }
  | { code: 'tool-denied'; tool: string; reason: string }
  | { code: 'tool-cancelled'; tool: string; started: boolean }
  | { code: 'tool-interrupted'; tool: string }
  | { code: 'tool-skipped'; tool: string }
  | { code: 'tool-schema-invalid'; tool: string; detail: string }

type RunErrors =
  | { code: 'config-invalid'; path: string; detail: string }
  | { code: 'agent-unknown'; agent: string; known: string[] }
  /** A run did not complete. `detail` says what happened, and how to continue. */
  | {
      code: 'run-failed'
      agent: string
      runId: string
      status: 'limit' | 'cancelled' | 'rejected' | 'failed' | 'suspended' | 'interrupted'
      detail: string
    }
  /** A workflow ended because a step failed. `cause` is the code of the step's error, `detail` its message. */
  | { code: 'step-failed'; workflow: string; step: string; cause: string; detail: string }
  | { code: 'selection-failed'; strategy: string; detail: string }
  | { code: 'model-unknown'; model: string; known: string[] }
  | { code: 'run-unknown'; runId: string }
  | { code: 'run-ended'; runId: string }
  | { code: 'run-suspended'; runId: string }
  /** `aliveUntil` is the end of the worker's last heartbeat, in milliseconds since the epoch. */
  | { code: 'run-busy'; runId: string; worker: string; aliveUntil?: number | undefined }
  | {
      code: 'session-busy'
      sessionId: string
      runId: string
      /** What the run waits for, if it is suspended. */
      waitsFor?: string[] | undefined
    }
  | { code: 'approval-unknown'; runId?: string | undefined; approvalId: string }
  | { code: 'approval-decided'; runId: string; approvalId: string }
  | { code: 'approval-forbidden'; approvalId: string; roles: string[] }
  /** The run has no tool call that waits for the client under this id. */
  | { code: 'client-call-unknown'; runId: string; callId: string }
  /** The tool call already has a result, its time has passed, or its run has ended. */
  | { code: 'client-call-settled'; runId: string; callId: string }
  | { code: 'input-rejected'; filter: string; reason: string }
  /** None of the model's answers fits the agent's output schema. */
  | { code: 'output-invalid'; attempts: number; issues: ValidationIssue[] }
  | { code: 'queue-full'; runId: string; capacity: number }
  | { code: 'runtime-closed' }
  | {
      code: 'quota-exceeded'
      quota: 'maxConcurrentRuns' | 'maxTokensPerTurn' | 'maxTotalTokens' | 'maxTotalCost' | 'maxTotalRuns'
      /** Owner of the quota: `runtime`, or `agents.` and the agent's name. */
      owner: string
      max: number
      value: number
    }
  /** The messages that must stay do not fit, so the request was not sent. */
  | {
      code: 'context-unsatisfiable'
      policy: string
      /** Name of the exceeded bound: an option of the policy, or `window` for the model's window. */
      bound: string
      /** The bound, in tokens. */
      max: number
      /** Estimated tokens of the request, including instructions and tools. */
      tokens: number
      /** Number of messages that stay. */
      messages: number
      /** Estimated tokens of instructions and tools. */
      fixedTokens: number
      /** Estimated tokens of the longest message. */
      longest: number
    }
  | { code: 'limit-reached'; limit: string; max: number; value: number }
  | {
      code: 'internal'
      detail: string
      /** The stack of the exception and of its causes. For developers: neither models nor clients receive it. */
      stack?: string | undefined
    }

type StoreErrors =
  | { code: 'store-conflict'; runId: string; expected: number; actual: number }
  | { code: 'store-fenced'; runId: string }
  /** The run cannot end or be suspended, because its inbox has commands that it has not taken. */
  | { code: 'inbox-unread'; runId: string }
  | { code: 'store-unavailable'; store: string; detail: string }
  | { code: 'store-corrupt'; store: string; detail: string }
  | { code: 'store-newer'; store: string; found: string; known: string }

type OutsideErrors =
  | { code: 'mcp-server-failed'; server: string; detail: string }
  /** A user must authorize this client at the server. */
  | { code: 'mcp-auth-required'; server: string; detail: string }
  /** The server was reached, but did not answer the request. */
  | {
      code: 'mcp-request-failed'
      server: string
      method: string
      /**
       * Why the request failed. With `refused`, the request had no effect. With the other reasons, its effect is unknown.
       */
      reason: 'refused' | 'timeout' | 'lost' | 'invalid'
      detail: string
      /** JSON-RPC error code of the server. */
      rpcCode?: number | undefined
      /** The timeout that was exceeded, in milliseconds. Present with the reason `timeout`. */
      timeoutMs?: number | undefined
    }
  | { code: 'file-unreadable'; path: string; detail: string }
  /** A path to which a workspace gives no access. The error does not name any path outside the workspace. */
  | {
      code: 'path-refused'
      /** The requested path. */
      path: string
      reason: 'invalid' | 'outside' | 'sensitive' | 'missing' | 'unusable'
      detail: string
    }
  /** A client sent an invalid request. */
  | { code: 'request-invalid'; path: string; detail: string }
  /** A remote agent could not be reached, or rejected the request. `remoteCode` is its own error code. */
  | {
      code: 'agent-request-failed'
      url: string
      status?: number | undefined
      remoteCode?: string | undefined
      detail: string
      /** The wait that the server asks for. */
      retryAfterMs?: number | undefined
    }
  /** A URL to which a network guard allows no connection. `url` has no user name, password or query. */
  | { code: 'url-refused'; url: string; reason: 'invalid' | 'forbidden'; detail: string }
  /** A request to a URL failed. */
  | {
      code: 'url-failed'
      url: string
      detail: string
      status?: number | undefined
      /** Whether the same request may succeed later. */
      retryable: boolean
    }
  | { code: 'cancelled'; kind: string; detail?: string | undefined }

/** An expected failure, as data. `describeError` writes its message. It survives serialization. */
export type ErrorInfo = ModelErrors | ToolErrors | RunErrors | StoreErrors | OutsideErrors
/** Code of an expected failure. */
export type ErrorCode = ErrorInfo['code']
