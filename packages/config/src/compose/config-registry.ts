import type { InputFilter, Middleware, Model, ModelInfo, ModelProvider, Tool, ToolSource } from '@parley/core'
import type { ProviderData } from '../schema/provider-schema.ts'

/** What a provider is made with: what the file says about it, and its name there. */
export interface ProviderOptions extends Omit<ProviderData, 'type'> {
  readonly name: string
  /** Facts about models, by id: what the file says, over what the provider knows. */
  readonly models?: Readonly<Record<string, ModelInfo>> | undefined
}

/** `createOpenAI`, say; it may load its package first. */
export type ProviderFactory = (options: ProviderOptions) => ModelProvider | Promise<ModelProvider>

/** What a program lets configurations name. */
export interface ConfigRegistry {
  /** What makes providers, by `type`. @default none */
  readonly providers?: Readonly<Record<string, ProviderFactory>> | undefined
  /** Models that a configuration may name without describing them. @default none */
  readonly models?: Readonly<Record<string, Model>> | undefined
  /** Tools, and sources of tools, by their own names. @default none */
  readonly tools?: readonly (Tool | ToolSource)[] | undefined
  /** By their own names. @default none */
  readonly middleware?: readonly Middleware[] | undefined
  /** By their own names. @default none */
  readonly inputFilters?: readonly InputFilter[] | undefined
  /** Asked in the place of every model of the configuration, whose providers are not made then. @default none */
  readonly model?: Model | undefined
}
