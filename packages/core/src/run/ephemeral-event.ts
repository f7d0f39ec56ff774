import type { ModelFallback } from '../model/model-event.ts'
import type { ModelRequest } from '../model/model-request.ts'
import type { ErrorInfo } from '../schema/error-info.ts'
import type { Json } from '../schema/json.ts'
import type { Usage } from '../schema/usage.ts'
import type { ViewPart } from '../schema/view-part.ts'

/** An event that only live readers receive. It is not journaled, so a replay does not contain it. */
export type EphemeralEvent =
  /** The run waits for a place, because a quota of concurrent runs is used up. `ahead` runs wait before it. */
  | { readonly type: 'run.queued'; readonly ahead: number }
  | { readonly type: 'model.started'; readonly turn: number; readonly model: string }
  /**
   * The request after all middleware, in a run whose requests are captured. Sent once for each model call, even if the
   * call is retried. Not sent if a middleware answers instead of the model.
   */
  | {
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
  | {
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
  | { readonly type: 'model.usage'; readonly turn: number; readonly usage: Usage }
  | { readonly type: 'text.delta'; readonly turn: number; readonly text: string }
  | { readonly type: 'reasoning.delta'; readonly turn: number; readonly text: string }
  /** The part of the agent's structured output that the model has written so far. It is not validated. */
  | { readonly type: 'output.delta'; readonly turn: number; readonly partial: Json }
  /** The model starts to write a call. */
  | {
      readonly type: 'tool-call.start'
      readonly turn: number
      readonly callId: string
      readonly name: string
      /** Present if the client executes the call. */
      readonly execution?: 'client' | undefined
    }
  /** A piece of the call's arguments. */
  | { readonly type: 'tool-call.delta'; readonly turn: number; readonly callId: string; readonly delta: string }
  | {
      readonly type: 'tool.progress'
      readonly turn: number
      readonly callId: string
      readonly name: string
      readonly update: Json
    }
  /** The context policy has started. `context.compacted` follows if the policy can shorten the request. */
  | {
      readonly type: 'context.compacting'
      readonly turn: number
      readonly policy: string
      readonly trigger: 'due' | 'overflow' | 'manual'
      /** Number of messages in the next request without compaction. */
      readonly messages: number
    }
  /** The model does not get a tool of a source, because its schema cannot be used. Shown before the next model call. */
  | { readonly type: 'tool.omitted'; readonly name: string; readonly error: ErrorInfo }
  | { readonly type: 'middleware.failed'; readonly middleware: string; readonly detail: string }
  /**
   * The last event if this process stops driving an unfinished run: its store failed, or another worker has claimed it. Also
   * the only event of a run that could not begin, for example because its session is busy.
   */
  | { readonly type: 'run.interrupted'; readonly error: ErrorInfo }

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
