import type { ModelPricing } from './model-pricing.ts'
import type { JsonSchemaObject } from '../json-schema/standard-schema.ts'
import type { Json } from '../schema/json.ts'
import type { FilePart, ProviderData } from '../schema/content.ts'
import type { ErrorInfo } from '../schema/error-info.ts'
import type { FinishReason, Message } from '../schema/message.ts'
import type { RetryPolicy } from '../async/retry-policy.ts'
import type { Usage } from '../schema/usage.ts'

/** A language model behind one API. Holds no conversation; safe to share between runs. */
export interface Model {
  /** Who serves it: `openai`, `anthropic`, … Opaque provider data returns only to the same provider. */
  readonly provider: string
  /** The model's id at its provider. */
  readonly id: string
  readonly info: ModelInfo
  /**
   * One model call. Ends with exactly one `finish`, or throws a `ParleyError` with a `model-…` code.
   * Aborting `signal` ends the stream by throwing `signal.reason`.
   */
  stream(request: ModelRequest, options: ModelCallOptions): AsyncIterable<ModelEvent>
}

export interface ModelCallOptions {
  readonly signal?: AbortSignal | undefined
  /** Lies over the provider's own policy, field by field. Providers that never retry ignore it. @default the provider's own */
  readonly retry?: RetryPolicy | undefined
}

/** Everything one call sends. */
export interface ModelRequest {
  /** Instructions, in order. Volatile parts come last, so that a cache keeps the stable ones. */
  readonly system: readonly SystemPart[]
  /** A valid transcript: each tool call has exactly one result, directly after its message. */
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSpec[]
  /** @default 'auto' */
  readonly toolChoice?: 'auto' | 'none' | 'required' | { readonly name: string } | undefined
  readonly settings: ModelSettings
}

export interface SystemPart {
  readonly text: string
  /** Changes between calls (a clock, a page); not worth caching. @default false */
  readonly volatile?: boolean | undefined
}

/** A tool as a model sees it. */
export interface ToolSpec {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchemaObject
  /**
   * Whether the provider must hold the model to the schema while it writes the arguments; the schema then has the form
   * strict mode demands. Providers without such a mode ignore it. @default false
   */
  readonly strict?: boolean | undefined
}

export interface ModelSettings {
  readonly maxOutputTokens?: number | undefined
  readonly temperature?: number | undefined
  readonly topP?: number | undefined
  readonly stopSequences?: readonly string[] | undefined
  readonly seed?: number | undefined
  /** @default the model's own */
  readonly thinking?: ThinkingSetting | undefined
  /** Where the provider is asked to cache the prompt. Providers that cache on their own ignore it. @default 'auto' */
  readonly cache?: CacheSetting | undefined
  /** Makes the answer JSON: any object, or one that fits a schema. @default text */
  readonly output?: 'json' | OutputFormat | undefined
  /** Whether one answer may hold several tool calls. @default the provider's own */
  readonly parallelToolCalls?: boolean | undefined
  /** Fields for one provider's wire, by provider name; other providers ignore them. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, Json>>>> | undefined
}

/**
 * How much a model thinks before it answers. A level or budget below what the model can do is raised to it; what it
 * cannot do at all is refused with `model-unsupported`, never dropped.
 */
export type ThinkingSetting = 'off' | 'minimal' | 'low' | 'medium' | 'high' | { readonly budgetTokens: number }

/** `auto` marks instructions, tools and the newest messages, as far as the provider's number of marks goes. */
export type CacheSetting =
  | 'auto'
  | 'off'
  | {
      readonly system?: boolean | undefined
      readonly tools?: boolean | undefined
      readonly messages?: boolean | undefined
      /** How long an entry lives. @default '5m' */
      readonly ttl?: '5m' | '1h' | undefined
    }

export interface OutputFormat {
  /** `[A-Za-z0-9_-]`, at most 64 characters. */
  readonly name: string
  readonly schema: JsonSchemaObject
  /** Whether the provider must hold the model to the schema while it writes. @default true */
  readonly strict?: boolean | undefined
}

/** What is known about a model. Absent means unknown, not unsupported. */
export interface ModelInfo {
  /** Tokens of input and output together. */
  readonly contextWindow?: number | undefined
  readonly maxOutputTokens?: number | undefined
  /** What `settings.output` may ask of it: a schema it is held to, any JSON object, or nothing. */
  readonly structuredOutput?: 'schema' | 'json' | 'none' | undefined
  /** Whether it can be held to a schema while it is offered tools. @default true */
  readonly structuredOutputWithTools?: boolean | undefined
  /** Whether it can call tools. @default true */
  readonly toolCalls?: boolean | undefined
  readonly pricing?: ModelPricing | undefined
}

/**
 * What a model sends while it answers. Deltas of one kind append to the open part of that kind; another
 * kind, or the matching `….end`, closes it.
 */
export type ModelEvent =
  | { readonly type: 'text.delta'; readonly text: string }
  | { readonly type: 'text.end'; readonly providerData?: ProviderData | undefined }
  | { readonly type: 'reasoning.delta'; readonly text: string }
  | { readonly type: 'reasoning.end'; readonly providerData?: ProviderData | undefined }
  /** Optional notice that a call is being written; `tool-call` follows. */
  | { readonly type: 'tool-call.start'; readonly callId: string; readonly name: string }
  /** A piece of the arguments, for watchers. */
  | { readonly type: 'tool-call.delta'; readonly callId: string; readonly delta: string }
  /** The whole call. `arguments` is the JSON text as the model wrote it. */
  | {
      readonly type: 'tool-call'
      readonly callId: string
      readonly name: string
      readonly arguments: string
      readonly providerData?: ProviderData | undefined
    }
  | { readonly type: 'file'; readonly part: FilePart }
  | { readonly type: 'opaque'; readonly providerData: ProviderData }
  /**
   * Tokens of this call so far. The last one counts. `costUsd` is what the provider itself says it charges, in US dollars; it
   * counts more than the model's prices.
   */
  | { readonly type: 'usage'; readonly usage: Usage; readonly costUsd?: number | undefined }
  /** The provider waits before it tries again, or another model is asked; nothing was shown yet. */
  | {
      readonly type: 'retry'
      readonly attempt: number
      readonly delayMs: number
      readonly error: ErrorInfo
      /** Set when another model is asked. */
      readonly fallback?: ModelFallback | undefined
    }
  | { readonly type: 'finish'; readonly reason: FinishReason }

/** A call that goes on with another model; each is named `provider/id`. */
export interface ModelFallback {
  /** The one that failed. */
  readonly from: string
  /** The one that is asked next. */
  readonly to: string
}

/** Several models behind one connection. */
export interface ModelProvider {
  readonly name: string
  model(id: string): Model
}
