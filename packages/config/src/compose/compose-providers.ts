import type { ModelProvider } from '@parley/core'
import type { ConfigData } from '../schema/config-schema.ts'
import type { ConfigRegistry, ProviderFactory, ProviderOptions } from './config-registry.ts'
import type { Reporter } from './reporter.ts'

/** A provider, and a function that makes it again with facts about a model. */
export interface ComposedProvider {
  readonly provider: ModelProvider
  readonly again: (options: Pick<ProviderOptions, 'models'>) => Promise<ModelProvider>
}

/** Makes the providers of a configuration, by name. A provider that cannot be made is reported and `undefined`. */
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
  // The name in the file counts, even if the factory ignores `name`.
  const provider: ModelProvider = { name: options.name, model: id => made.model(id) }
  return { provider, again: async ({ models }) => factory({ ...options, models }) }
}
