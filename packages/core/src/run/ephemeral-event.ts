import type { ModelFallback } from '../model/model-event.ts'
import type { ModelRequest } from '../model/model-request.ts'
import type { ErrorInfo } from '../schema/error-info.ts'
import type { Json } from '../schema/json.ts'
import type { Usage } from '../schema/usage.ts'
import type { ViewPart } from '../schema/view-part.ts'

/** The run waits for a place, because a quota of concurrent runs is used up. `ahead` runs wait before it. */
interface RunQueued {
  readonly type: 'run.queued'
  readonly ahead: number
}

interface ModelStarted {
  readonly type: 'model.started'
  readonly turn: number
  readonly model: string
}

/**
 * The request after all middleware, in a run whose requests are captured. Sent once for each model call, even if the
 * call is retried. Not sent if a middleware answers instead of the model.
 */
interface ModelRequested {
  readonly type: 'model.request'
  readonly turn: number
  readonly model: string
  readonly request: ModelRequest
  /**
   * Origin of the request's messages: positions in the transcript, or messages that a context policy or middleware
   * wrote.
   */
  readonly view: readonly ViewPart[]
}

interface ModelRetrying {
  readonly type: 'model.retrying'
  readonly turn: number
  readonly attempt: number
  readonly delayMs: number
  readonly error: ErrorInfo
  /** The change of the model, if the next attempt asks another model. */
  readonly fallback?: ModelFallback | undefined
}

/**
 * Tokens of the turn's model call so far, at most once a second, from providers that count while they answer. Each event
 * replaces the one before; `model.called` or `model.failed` has the final count.
 */
interface ModelUsage {
  readonly type: 'model.usage'
  readonly turn: number
  readonly usage: Usage
}

interface TextDelta {
  readonly type: 'text.delta'
  readonly turn: number
  readonly text: string
}

interface ReasoningDelta {
  readonly type: 'reasoning.delta'
  readonly turn: number
  readonly text: string
}

/** The part of the agent's structured output that the model has written so far. It is not validated. */
interface OutputDelta {
  readonly type: 'output.delta'
  readonly turn: number
  readonly partial: Json
}

/** The model starts to write a call. */
interface ToolCallStart {
  readonly type: 'tool-call.start'
  readonly turn: number
  readonly callId: string
  readonly name: string
  /** Present if the client executes the call. */
  readonly execution?: 'client' | undefined
}

/** A piece of the call's arguments. */
interface ToolCallDelta {
  readonly type: 'tool-call.delta'
  readonly turn: number
  readonly callId: string
  readonly delta: string
}

interface ToolProgress {
  readonly type: 'tool.progress'
  readonly turn: number
  readonly callId: string
  readonly name: string
  readonly update: Json
}

/** The context policy has started. `context.compacted` follows if the policy can shorten the request. */
interface ContextCompacting {
  readonly type: 'context.compacting'
  readonly turn: number
  readonly policy: string
  readonly trigger: 'due' | 'overflow' | 'manual'
  /** Number of messages in the next request without compaction. */
  readonly messages: number
}

/** The model does not get a tool of a source, because its schema cannot be used. Shown before the next model call. */
interface ToolOmitted {
  readonly type: 'tool.omitted'
  readonly name: string
  readonly error: ErrorInfo
}

interface MiddlewareFailed {
  readonly type: 'middleware.failed'
  readonly middleware: string
  readonly detail: string
}

/**
 * The last event if this process stops driving an unfinished run: its store failed, or another worker has claimed it. Also
 * the only event of a run that could not begin, for example because its session is busy.
 */
interface RunInterrupted {
  readonly type: 'run.interrupted'
  readonly error: ErrorInfo
}

/** An event that only live readers receive. It is not journaled, so a replay does not contain it. */
export type EphemeralEvent =
  | RunQueued
  | ModelStarted
  | ModelRequested
  | ModelRetrying
  | ModelUsage
  | TextDelta
  | ReasoningDelta
  | OutputDelta
  | ToolCallStart
  | ToolCallDelta
  | ToolProgress
  | ContextCompacting
  | ToolOmitted
  | MiddlewareFailed
  | RunInterrupted

/** Type names of all ephemeral events, as keys. */
export const EPHEMERAL_TYPES: Readonly<Record<EphemeralEvent['type'], true>> = {
  'run.queued': true,
  'model.started': true,
  'model.request': true,
  'model.retrying': true,
  'model.usage': true,
  'text.delta': true,
  'reasoning.delta': true,
  'output.delta': true,
  'tool-call.start': true,
  'tool-call.delta': true,
  'tool.progress': true,
  'context.compacting': true,
  'tool.omitted': true,
  'middleware.failed': true,
  'run.interrupted': true,
}
