import type { Model, ModelInfo } from '@parley/core'
import type { KeyPath } from '../schema/config.ts'
import type { ConfigData } from '../schema/config-schema.ts'
import type { ModelData } from '../schema/provider-schema.ts'
import type { ComposedProvider } from './compose-providers.ts'
import type { ConfigRegistry } from './config-registry.ts'
import type { Reporter } from './reporter.ts'

/** The models that agents may name. */
export interface ComposedModels {
  /** Models of the configuration and of the registry, by name. */
  readonly models: Readonly<Record<string, Model>>
  /** Finds the model for the name at `key`. Reports an unknown name and returns `undefined`. */
  find(key: KeyPath, name: string): Model | undefined
}

/** The parts that models are made from. */
export interface ModelParts {
  readonly providers: ReadonlyMap<string, ComposedProvider | undefined>
  readonly registry: ConfigRegistry
  readonly reporter: Reporter
}

/** Makes the models of a configuration. */
export async function composeModels(
  described: ConfigData['models'] = {},
  { providers, registry, reporter }: ModelParts,
): Promise<ComposedModels> {
  const { model: instead } = registry
  const models: Record<string, Model> = { ...registry.models }
  const failed = new Set<string>()
  for (const [name, data] of Object.entries(described)) {
    const model = instead ?? (await describedModel(data, { providers, reporter, key: ['models', name] }))
    if (model === undefined) failed.add(name)
    else models[name] = model
  }
  return {
    models,
    find(key, name) {
      if (instead !== undefined) return instead
      if (Object.hasOwn(models, name)) return models[name]
      const slash = name.indexOf('/')
      const owner = name.slice(0, Math.max(slash, 0))
      // A model or provider that could not be made was reported at its own key.
      if (failed.has(name) || (providers.has(owner) && providers.get(owner) === undefined)) return undefined
      const provider = slash < name.length - 1 ? providers.get(owner)?.provider : undefined
      if (provider !== undefined) return reporter.attempt(key, () => provider.model(name.slice(slash + 1)))
      const known = [...Object.keys(models), ...[...providers.keys()].map(each => `${each}/<id>`)]
      reporter.unknown(key, { what: 'model', name, known })
      return undefined
    },
  }
}

interface DescribedModelParts extends Pick<ModelParts, 'providers' | 'reporter'> {
  readonly key: KeyPath
}

async function describedModel(
  { provider: name, id, ...facts }: ModelData,
  { providers, reporter, key }: DescribedModelParts,
): Promise<Model | undefined> {
  const composed = providers.get(name)
  if (composed === undefined) return undefined
  try {
    const plain = composed.provider.model(id)
    const said = Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined))
    if (Object.keys(said).length === 0) return plain
    const info: ModelInfo = { ...plain.info, ...said }
    const informed = (await composed.again({ models: { [id]: info } })).model(id)
    // A provider may ignore `models`, so the facts are set here too.
    return { provider: informed.provider, id, info, stream: (...call) => informed.stream(...call) }
  } catch (error) {
    reporter.fail(key, error)
    return undefined
  }
}
