export { composeConfig, type ComposedConfig } from './compose/compose-config.ts'
export type { ConfigRegistry, ProviderFactory, ProviderOptions } from './compose/config-registry.ts'
export type {
  ConfigBus,
  ConfigServices,
  ConfigSkills,
  ConfigSubscription,
  ConfigTracing,
  EventHandler,
  McpService,
  McpStartOptions,
  OpenedServers,
} from './compose/config-services.ts'
export type {
  InputFilterType,
  MiddlewareParts,
  MiddlewareType,
  PartContext,
  PartOptions,
  PartType,
  SubscriberType,
  ToolsetType,
} from './compose/part-type.ts'
export type { Config } from './schema/config.ts'
export { configJsonSchema } from './schema/config-schema.ts'
export { defineConfig } from './define-config.ts'
export type { ConfigSource, KeyPath } from './schema/config.ts'
export { parseConfig, type ConfigFormat, type ParseConfigOptions } from './parse/parse-config.ts'
export type { Environment } from './parse/resolve-environment.ts'
export type { ConfigData } from './schema/config-schema.ts'
