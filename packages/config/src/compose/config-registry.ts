import type { InputFilter, Middleware, Model, ModelInfo, ModelProvider, Tool, ToolSource } from '@parley/core'
import type { ProviderData } from '../schema/provider-schema.ts'
import type { ConfigServices } from './config-services.ts'
import type { InputFilterType, MiddlewareType, SubscriberType, ToolsetType } from './part-type.ts'

/** Options of a provider factory: the fields of the provider in the file, and its name there. */
export interface ProviderOptions extends Omit<ProviderData, 'type'> {
  /** The name of the provider in the file. */
  readonly name: string
  /** Facts about models, by id. Facts in the file override those of the provider. @default none */
  readonly models?: Readonly<Record<string, ModelInfo>> | undefined
}

/** Makes a provider, as `createOpenAI` does. It may be async, to load a package first. */
export type ProviderFactory = (options: ProviderOptions) => ModelProvider | Promise<ModelProvider>

/** The objects that the program allows configurations to name. */
export interface ConfigRegistry {
  /** Provider factories, by `type`. @default none */
  readonly providers?: Readonly<Record<string, ProviderFactory>> | undefined
  /** Models that a configuration may name without a `models` entry. @default none */
  readonly models?: Readonly<Record<string, Model>> | undefined
  /** Tools and tool sources. A configuration uses their `name`. @default none */
  readonly tools?: readonly (Tool | ToolSource)[] | undefined
  /** Types of toolsets. A configuration uses one with options in `toolsets`, or by its name with the defaults. @default none */
  readonly toolsets?: Readonly<Record<string, ToolsetType>> | undefined
  /** Middleware. A configuration uses its `name`. @default none */
  readonly middleware?: readonly Middleware[] | undefined
  /**
   * Types of middleware. A configuration uses one with options in `middleware`, or by its name with the defaults.
   * @default none
   */
  readonly middlewareTypes?: Readonly<Record<string, MiddlewareType>> | undefined
  /** Input filters. A configuration uses their `name`. @default none */
  readonly inputFilters?: readonly InputFilter[] | undefined
  /**
   * Types of input filters. A configuration uses one with options in `inputFilters`, or by its name with the defaults.
   * @default none
   */
  readonly inputFilterTypes?: Readonly<Record<string, InputFilterType>> | undefined
  /** Types of bus subscribers. @default none */
  readonly subscribers?: Readonly<Record<string, SubscriberType>> | undefined
  /** Functions that make MCP servers, the event bus, traces and skills. @default none */
  readonly services?: ConfigServices | undefined
  /** Replaces every model of the configuration. No provider is made then. @default none */
  readonly model?: Model | undefined
}
