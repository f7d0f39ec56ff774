import type { AgentLike } from './delegate.ts'
import { ParleyError } from '../errors/parley-error.ts'
import type { Json } from '../schema/json.ts'
import type { ToolResultPart } from '../schema/content.ts'
import type { ErrorInfo } from '../schema/error-info.ts'

const brand = Symbol.for('@parley/tool-outcome')

/**
 * Outcome of a tool call. Create one with `toolOk`, `toolError`, `toolAsk`, `toolPending`, `toolAnswer` or `toolHandoff`. Any other value
 * that a handler returns becomes a `ToolOk`.
 */
export type ToolOutcome = ToolOk | ToolFailure | ToolAsk | ToolAnswer | ToolHandoff | ToolPending

/** The call succeeded. */
export interface ToolOk {
  readonly type: 'ok'
  readonly content: readonly ToolResultPart[]
  /** The result as data, for programs. The model reads `content`. */
  readonly structured?: Json | undefined
  /** The value that the handler returned, if it was neither text nor an outcome. For middleware; it is not journaled. */
  readonly value?: unknown
}

/** The call failed. */
export interface ToolFailure {
  readonly type: 'error'
  /** Tells the model what failed and what to do instead. */
  readonly content: readonly ToolResultPart[]
  /** The failure as data. Absent if the tool gave only a text. */
  readonly error?: ErrorInfo | undefined
  /** Whether the same call may succeed later. */
  readonly retryable: boolean
  /** Data about the failure, for programs. */
  readonly metadata?: Json | undefined
}

/** The call requires approval. It has no result yet. */
export interface ToolAsk {
  readonly type: 'ask'
  readonly prompt: string
  readonly roles?: readonly string[] | undefined
  readonly expiresInMs?: number | undefined
}

/** The result comes later, from the client or another system. */
export interface ToolPending {
  readonly type: 'pending'
}

/** The call ends the run with an output, after the other calls of the answer have their results. */
export interface ToolAnswer {
  readonly type: 'answer'
  readonly output: Json
  /** Result of the call in the transcript. */
  readonly content: readonly ToolResultPart[]
}

/** Options of `toolAsk`. */
export interface ToolAskOptions {
  /** Roles of which the approver must have one. @default any principal may decide */
  readonly roles?: readonly string[] | undefined
  /** Milliseconds after which the request is rejected as timed out. @default never */
  readonly expiresInMs?: number | undefined
}

/**
 * Requests approval of the call. After approval the handler is called again with `context.approved`.
 * @param prompt Question for the approver.
 */
export function toolAsk(prompt: string, { roles, expiresInMs }: ToolAskOptions = {}): ToolAsk {
  return mark({ type: 'ask', prompt, roles, expiresInMs })
}

/**
 * Leaves the call without a result: the run is suspended until `runtime.submitToolResult`. Use it for a call that the
 * client executes, or whose result another system reports later. The handler is not called again for the result.
 */
export function toolPending(): ToolPending {
  return mark({ type: 'pending' })
}

/** Ends the run with `output`. @param content Result of the call in the transcript. */
export function toolAnswer(output: Json, content = 'Accepted as the final answer.'): ToolAnswer {
  return mark({ type: 'answer', output, content: [{ type: 'text', text: content }] })
}

/** Another agent continues the run, after every call of the answer has its result. */
export interface ToolHandoff {
  readonly type: 'handoff'
  /** Name of one of the agent's `handoffs`, or of an agent that the runtime knows. */
  readonly target: string
  readonly task?: string | undefined
  readonly carryContext: boolean
}

/** Options of `toolHandoff`. */
export interface ToolHandoffOptions {
  /** Task for the next agent, appended as a user message. @default none: the agent continues the conversation */
  readonly task?: string | undefined
  /** Whether the next agent sees the conversation so far; otherwise only the task. @default true */
  readonly carryContext?: boolean | undefined
}

/**
 * Hands the run over to another agent.
 * @throws ParleyError `config-invalid` if `carryContext` is `false` and `task` is missing.
 */
export function toolHandoff(
  target: string | AgentLike,
  { task, carryContext = true }: ToolHandoffOptions = {},
): ToolHandoff {
  if (!carryContext && (task ?? '').trim() === '') {
    throw new ParleyError({
      code: 'config-invalid',
      path: 'handoff.task',
      detail: 'is required if carryContext is false',
    })
  }
  return mark({ type: 'handoff', target: typeof target === 'string' ? target : target.name, task, carryContext })
}

/** Ends the call with a result. @param structured The result as data, for programs. */
export function toolOk(content: string | readonly ToolResultPart[], structured?: Json): ToolOk {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  return mark(structured === undefined ? { type: 'ok', content: parts } : { type: 'ok', content: parts, structured })
}

/** Options of `toolError`. */
export interface ToolErrorOptions {
  /** The failure as data. @default none */
  readonly error?: ErrorInfo | undefined
  /** Whether the same call may succeed later. @default false */
  readonly retryable?: boolean | undefined
  /** Data about the failure, for programs. @default none */
  readonly metadata?: Json | undefined
}

/**
 * Ends the call with a failure that the model and the clients of a server read. The message of a thrown error reaches the model
 * only, because it can contain internals. @param content What failed, and what to do instead.
 */
export function toolError(
  content: string | readonly ToolResultPart[],
  { error, retryable = false, metadata }: ToolErrorOptions = {},
): ToolFailure {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  return mark({
    type: 'error',
    content: parts,
    retryable,
    ...(error === undefined ? {} : { error }),
    ...(metadata === undefined ? {} : { metadata }),
  })
}

/** Whether a value was created by one of the outcome functions. Other values of the same shape are plain results. */
export function isToolOutcome(value: unknown): value is ToolOutcome {
  return typeof value === 'object' && value !== null && brand in value
}

function mark<TOutcome extends ToolOutcome>(outcome: TOutcome): TOutcome {
  return Object.defineProperty(outcome, brand, { value: true })
}
