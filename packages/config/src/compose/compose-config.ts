import type { Model } from '@parley/core'
import type { Agent, CloseOptions, RuntimeOptions } from '@parley/engine'
import type { Config } from '../schema/config.ts'
import { composeAgents } from './compose-agents.ts'
import { composeModels, type ComposedModels } from './compose-models.ts'
import { composeProviders, type ComposedProvider } from './compose-providers.ts'
import type { ConfigRegistry } from './config-registry.ts'
import { createReporter } from './reporter.ts'

/** A configuration as objects of the program. */
export interface ComposedConfig {
  /** The agents, in the order of the file. */
  readonly agents: readonly Agent[]
  /** The models of the file and of the registry, by name. */
  readonly models: Readonly<Record<string, Model>>
  /** Options for `createRuntime`: agents, models, providers, tools, and the sections `runtime` and `defaults`. Add the store. */
  readonly runtimeOptions: RuntimeOptions
  /** Options for `runtime.close`. */
  readonly closeOptions: CloseOptions
  /** The value of `runtime.store`: a SQLite file or a `postgres://` address. The caller opens it. */
  readonly store: string | undefined
}

/**
 * Makes the providers, models and agents of a configuration. Names of tools, middleware and provider types are looked up in the
 * registry. It opens no store and sends no request.
 * @throws ParleyError `config-invalid` with all names that are not registered and all invalid values: line, key, and known names.
 */
export async function composeConfig(config: Config, registry: ConfigRegistry = {}): Promise<ComposedConfig> {
  const { data, source } = config
  const reporter = createReporter(source)
  const described = registry.model === undefined ? data.providers : {}
  const providers = await composeProviders(described, registry, reporter)
  const models = await composeModels(data.models, { providers, registry, reporter })
  const agents = composeAgents({ config: data, models, registry, reporter })
  const defaults = defaultsOf(config, models)
  reporter.check()
  const { store, drainMs, graceMs, ...rest } = data.runtime ?? {}
  return {
    agents,
    models: models.models,
    store,
    closeOptions: { ...(drainMs === undefined ? {} : { drainMs }), ...(graceMs === undefined ? {} : { graceMs }) },
    runtimeOptions: {
      ...rest,
      ...defaults,
      agents,
      models: models.models,
      providers: [...providers.values()].flatMap(providerOf),
      tools: registry.tools ?? [],
    },
  }
}

function defaultsOf({ data: { defaults } }: Config, models: ComposedModels): Pick<RuntimeOptions, 'defaults'> {
  if (defaults === undefined) return {}
  const { model, ...rest } = defaults
  const found = model === undefined ? undefined : models.find(['defaults', 'model'], model)
  return { defaults: { ...rest, ...(found === undefined ? {} : { model: found }) } }
}

function providerOf(composed: ComposedProvider | undefined) {
  return composed === undefined ? [] : [composed.provider]
}
