import type { ModelPricing } from './model-pricing.ts'

/** Known facts about a model. An absent field means unknown, not unsupported. */
export interface ModelInfo {
  /** Largest number of tokens of input and output together. */
  readonly contextWindow?: number | undefined
  /** Largest number of tokens in one answer. */
  readonly maxOutputTokens?: number | undefined
  /** What `settings.output` may request: a schema that the provider enforces, any JSON object, or nothing. */
  readonly structuredOutput?: 'schema' | 'json' | 'none' | undefined
  /** Whether the provider can enforce an output schema in a call that offers tools. @default true */
  readonly structuredOutputWithTools?: boolean | undefined
  /** Whether the model can call tools. @default true */
  readonly toolCalls?: boolean | undefined
  readonly pricing?: ModelPricing | undefined
}
