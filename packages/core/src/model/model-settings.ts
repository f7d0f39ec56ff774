import type { JsonSchemaObject } from '../json-schema/standard-schema.ts'
import type { Json } from '../schema/json.ts'

/** Settings of a model call. An absent setting leaves the choice to the provider. */
export interface ModelSettings {
  /** Largest number of tokens in the answer. */
  readonly maxOutputTokens?: number | undefined
  readonly temperature?: number | undefined
  readonly topP?: number | undefined
  /** Number of most likely tokens among which the model chooses each token. */
  readonly topK?: number | undefined
  /** Makes tokens less likely the more often they occur in the text so far. From -2 to 2. */
  readonly frequencyPenalty?: number | undefined
  /** Makes tokens less likely if they occur in the text so far. From -2 to 2. */
  readonly presencePenalty?: number | undefined
  /**
   * Whether the model must call a tool: `required` any tool, `{ name }` this one. Both hold for the first model call of a
   * run, because a run whose every answer must be a call would never end. `none` forbids calls in the whole run.
   * @default 'auto'
   */
  readonly toolChoice?: ToolChoice | undefined
  /** Texts at which the model stops. */
  readonly stopSequences?: readonly string[] | undefined
  /** Makes sampling repeatable, as far as the provider supports it. */
  readonly seed?: number | undefined
  /** How much the model thinks before it answers. @default the model's own */
  readonly thinking?: ThinkingSetting | undefined
  /** The parts of the prompt that the provider caches. Providers that cache automatically ignore it. @default 'auto' */
  readonly cache?: CacheSetting | undefined
  /** Makes the answer JSON: any object, or an object that fits a schema. @default text */
  readonly output?: 'json' | OutputFormat | undefined
  /** Whether one answer may contain several tool calls. @default the provider's own */
  readonly parallelToolCalls?: boolean | undefined
  /** Fields for the request of one provider, by provider name. Other providers ignore them. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, Json>>>> | undefined
}

/** Whether a model must call a tool. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

/**
 * How much a model thinks before it answers. A level or budget below the model's minimum is raised to the minimum. A provider
 * rejects a setting that the model does not support with `model-unsupported`.
 */
export type ThinkingSetting = 'off' | 'minimal' | 'low' | 'medium' | 'high' | { readonly budgetTokens: number }

/** Parts of the prompt to cache. `auto`: instructions, tools and the newest messages, within the provider's limits. */
export type CacheSetting =
  | 'auto'
  | 'off'
  | {
      /** Whether to cache the instructions. @default false */
      readonly system?: boolean | undefined
      /** Whether to cache the tools. @default false */
      readonly tools?: boolean | undefined
      /** Whether to cache the newest messages. @default false */
      readonly messages?: boolean | undefined
      /** How long the provider keeps the parts in its cache. @default '5m' */
      readonly ttl?: '5m' | '1h' | undefined
    }

/** A JSON Schema for the answer. */
export interface OutputFormat {
  /** 1 to 64 of the characters `A-Z a-z 0-9 _ -`. */
  readonly name: string
  readonly schema: JsonSchemaObject
  /** Whether the provider must enforce the schema while the model writes. @default true */
  readonly strict?: boolean | undefined
}
