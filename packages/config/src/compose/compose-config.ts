import type { Model } from '@parley/core'
import type { Agent, CloseOptions, RuntimeOptions } from '@parley/engine'
import type { Config } from '../config.ts'
import { composeAgents } from './compose-agents.ts'
import { composeModels, type ComposedModels } from './compose-models.ts'
import { composeProviders, type ComposedProvider } from './compose-providers.ts'
import type { ConfigRegistry } from './config-registry.ts'
import { createReporter } from './reporter.ts'

/** What a configuration comes to in a program. */
export interface ComposedConfig {
  /** In the order of the file. */
  readonly agents: readonly Agent[]
  readonly models: Readonly<Record<string, Model>>
  /** For `createRuntime`: agents, models, providers, tools, and what `runtime` and `defaults` say. Add the store. */
  readonly runtimeOptions: RuntimeOptions
  /** For `runtime.close`. */
  readonly closeOptions: CloseOptions
  /** Where runs are to be kept, as `runtime.store` says. The caller opens it. */
  readonly store: string | undefined
}

/**
 * Looks up what a configuration names in what the program has registered, and makes its providers, models and agents. Opens
 * nothing and asks no server.
 * @throws ParleyError `config-invalid` with everything that is not registered or makes no sense: line, key, and what there is.
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
