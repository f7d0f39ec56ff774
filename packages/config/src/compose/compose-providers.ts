import type { ModelProvider } from '@parley/core'
import type { ConfigData } from '../schema/config-schema.ts'
import type { ConfigRegistry, ProviderFactory, ProviderOptions } from './config-registry.ts'
import type { Reporter } from './reporter.ts'

/** A provider, and how it is made again with facts about one of its models. */
export interface ComposedProvider {
  readonly provider: ModelProvider
  readonly again: (options: Pick<ProviderOptions, 'models'>) => Promise<ModelProvider>
}

/** The providers of a configuration by name. One that cannot be made is reported, and undefined. */
export async function composeProviders(
  providers: ConfigData['providers'] = {},
  registry: ConfigRegistry,
  reporter: Reporter,
): Promise<ReadonlyMap<string, ComposedProvider | undefined>> {
  const { providers: factories = {} } = registry
  const made = new Map<string, ComposedProvider | undefined>()
  for (const [name, { type = name, ...options }] of Object.entries(providers)) {
    const key = ['providers', name]
    const factory = Object.hasOwn(factories, type) ? factories[type] : undefined
    made.set(name, undefined)
    if (factory === undefined)
      reporter.unknown([...key, 'type'], { what: 'provider type', name: type, known: Object.keys(factories) })
    else {
      try {
        made.set(name, await makeProvider(factory, { ...options, name }))
      } catch (error) {
        reporter.fail(key, error)
      }
    }
  }
  return made
}

async function makeProvider(factory: ProviderFactory, options: ProviderOptions): Promise<ComposedProvider> {
  const made = await factory(options)
  // It goes by its name in the file, whatever the factory makes of that.
  const provider: ModelProvider = { name: options.name, model: id => made.model(id) }
  return { provider, again: async ({ models }) => factory({ ...options, models }) }
}
