import { checkOptions, type OptionKinds, type Store } from '@parley/core'
import type { ConfigRegistry } from '../compose/config-registry.ts'
import { inputFilterTypes, middlewareTypes } from './middleware-types.ts'
import { standardServices, type StandardServicesOptions } from './standard-services.ts'
import { subscriberTypes } from './subscriber-types.ts'
import { toolsetTypes } from './toolset-types.ts'

/** Options of `standardRegistry`. */
export interface StandardRegistryOptions extends StandardServicesOptions {
  /** The store of the runs, for the toolset `memory`. @default none: a file with this toolset is invalid */
  readonly store?: Pick<Store, 'notes' | 'runs' | 'read'> | undefined
}

const OPTIONS: OptionKinds<StandardRegistryOptions> = {
  store: 'object',
  tokenStore: 'function',
}

/**
 * Returns a registry with which a file can use the middleware of `@parley/middleware`, the toolsets and skills of `@parley/tools`, MCP
 * servers, the event bus, and OpenTelemetry. Each package is imported only if the file names something of it. Such a file can start
 * programs and read files, so use it only for files that you trust.
 */
export function standardRegistry(options: StandardRegistryOptions = {}): ConfigRegistry {
  checkOptions('standardRegistry', options, OPTIONS)
  const { store, ...services } = options
  return {
    toolsets: toolsetTypes(store),
    middlewareTypes,
    inputFilterTypes,
    subscribers: subscriberTypes,
    services: standardServices(services),
  }
}
