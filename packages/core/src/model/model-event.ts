import type { FilePart, ProviderData } from '../schema/content.ts'
import type { ErrorInfo } from '../schema/error-info.ts'
import type { FinishReason } from '../schema/message.ts'
import type { Usage } from '../schema/usage.ts'

/**
 * An event of a model's answer. Deltas of one kind append to the open part of that kind. An event of another kind, or the
 * matching `….end`, closes the part.
 */
export type ModelEvent =
  | { readonly type: 'text.delta'; readonly text: string }
  | { readonly type: 'text.end'; readonly providerData?: ProviderData | undefined }
  | { readonly type: 'reasoning.delta'; readonly text: string }
  | { readonly type: 'reasoning.end'; readonly providerData?: ProviderData | undefined }
  /** The model starts to write a call. Optional; the `tool-call` with the same id follows. */
  | { readonly type: 'tool-call.start'; readonly callId: string; readonly name: string }
  /** A piece of the arguments. All pieces of a call, joined, are its `arguments`. */
  | { readonly type: 'tool-call.delta'; readonly callId: string; readonly delta: string }
  /** A complete call. */
  | {
      readonly type: 'tool-call'
      readonly callId: string
      readonly name: string
      /** The JSON text as the model wrote it. It may be malformed. */
      readonly arguments: string
      readonly providerData?: ProviderData | undefined
    }
  | { readonly type: 'file'; readonly part: FilePart }
  /** A block that only its provider understands. */
  | { readonly type: 'opaque'; readonly providerData: ProviderData }
  /** Tokens of this call so far. The last event counts. */
  | {
      readonly type: 'usage'
      readonly usage: Usage
      /** Price of the call in US dollars, as the provider reports it. It replaces the price computed from `ModelInfo.pricing`. */
      readonly costUsd?: number | undefined
    }
  /** The call is made again after `delayMs`. No part of the answer has been sent before. */
  | {
      readonly type: 'retry'
      readonly attempt: number
      readonly delayMs: number
      readonly error: ErrorInfo
      /** The change of the model, if the next attempt asks another model. */
      readonly fallback?: ModelFallback | undefined
    }
  /** The last event of an answer. */
  | { readonly type: 'finish'; readonly reason: FinishReason }

/** A change to another model within one call. Models are named `provider/id`. */
export interface ModelFallback {
  /** The model that failed. */
  readonly from: string
  /** The model that is asked next. */
  readonly to: string
}
