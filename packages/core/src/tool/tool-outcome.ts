import type { AgentLike } from './delegate.ts'
import { ParleyError } from '../errors/parley-error.ts'
import type { Json } from '../schema/json.ts'
import type { ToolResultPart } from '../schema/content.ts'
import type { ErrorInfo } from '../schema/error-info.ts'

const brand = Symbol.for('@parley/tool-outcome')

/**
 * What came of a tool call. Build one with `toolOk`, `toolError`, `toolAsk`, `toolAnswer` or `toolHandoff`; a plain
 * return value is an `ok`.
 */
export type ToolOutcome = ToolOk | ToolFailure | ToolAsk | ToolAnswer | ToolHandoff

export interface ToolOk {
  readonly type: 'ok'
  readonly content: readonly ToolResultPart[]
  /** The result as data, for programs; the model reads `content`. */
  readonly structured?: Json | undefined
  /** What the handler returned, where that was no text and no outcome: for middleware, and never journaled. */
  readonly value?: unknown
}

export interface ToolFailure {
  readonly type: 'error'
  /** What the model reads: what went wrong and what to do instead. */
  readonly content: readonly ToolResultPart[]
  /** The failure as data; absent when the tool only has words. */
  readonly error?: ErrorInfo | undefined
  readonly retryable: boolean
  readonly metadata?: Json | undefined
}

/** The call cannot go on without a person's approval. It has no result yet. */
export interface ToolAsk {
  readonly type: 'ask'
  readonly prompt: string
  readonly roles?: readonly string[] | undefined
  readonly expiresInMs?: number | undefined
}

/** The call's input is what the run was for: the run ends with it, once the other calls have their results. */
export interface ToolAnswer {
  readonly type: 'answer'
  readonly output: Json
  /** What the transcript says about the call. */
  readonly content: readonly ToolResultPart[]
}

export interface ToolAskOptions {
  /** Who may decide. @default anybody */
  readonly roles?: readonly string[] | undefined
  /** After which nobody's silence is a no. @default never */
  readonly expiresInMs?: number | undefined
}

/** Asks a person before going on. Once approved, the handler is called again with `context.approved`. */
export function toolAsk(prompt: string, { roles, expiresInMs }: ToolAskOptions = {}): ToolAsk {
  return mark({ type: 'ask', prompt, roles, expiresInMs })
}

/** Ends the run with `output`. */
export function toolAnswer(output: Json, content = 'Accepted as the final answer.'): ToolAnswer {
  return mark({ type: 'answer', output, content: [{ type: 'text', text: content }] })
}

/** Another agent goes on with the run, once every call of the answer has its result. */
export interface ToolHandoff {
  readonly type: 'handoff'
  /** Its name: one of the agent's `handoffs`, or one the runtime knows. */
  readonly target: string
  readonly task?: string | undefined
  readonly carryContext: boolean
}

export interface ToolHandoffOptions {
  /** What it is asked to do, as a user message after all others. @default nothing but the conversation */
  readonly task?: string | undefined
  /** Whether it sees the conversation so far, or the task alone. @default true */
  readonly carryContext?: boolean | undefined
}

/**
 * Hands the run over to another agent.
 * @throws ParleyError `config-invalid` for an agent that would see neither the conversation nor a task.
 */
export function toolHandoff(
  target: string | AgentLike,
  { task, carryContext = true }: ToolHandoffOptions = {},
): ToolHandoff {
  if (!carryContext && (task ?? '').trim() === '') {
    throw new ParleyError({ code: 'config-invalid', path: 'handoff.task', detail: 'is needed without the context' })
  }
  return mark({ type: 'handoff', target: typeof target === 'string' ? target : target.name, task, carryContext })
}

export function toolOk(content: string | readonly ToolResultPart[], structured?: Json): ToolOk {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  return mark(structured === undefined ? { type: 'ok', content: parts } : { type: 'ok', content: parts, structured })
}

export interface ToolErrorOptions {
  readonly error?: ErrorInfo | undefined
  /** Whether the same call may work later. @default false */
  readonly retryable?: boolean | undefined
  readonly metadata?: Json | undefined
}

/** A failure the model should read and act on. */
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

/** Whether a handler's return value is an outcome rather than a result that happens to look like one. */
export function isToolOutcome(value: unknown): value is ToolOutcome {
  return typeof value === 'object' && value !== null && brand in value
}

function mark<TOutcome extends ToolOutcome>(outcome: TOutcome): TOutcome {
  return Object.defineProperty(outcome, brand, { value: true })
}
