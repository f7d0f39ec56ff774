import { composeConfig, type ConfigRegistry, type ProviderFactory } from '@parley/config'
import { loadConfig } from '@parley/config/node'
import { ParleyError, type Tool, type ToolSource } from '@parley/core'
import { createDemoModel } from '@parley/demo-model'
import type { Agent, CloseOptions, RuntimeOptions } from '@parley/engine'
import type { AgentFlags } from '../flags/agent-flags.ts'
import { chooseModel } from './choose-model.ts'

/** Agents, and the options with which to run them. */
export interface ComposedAgents {
  /** The agent to run: the one that the flags name, or the first. */
  readonly agent: Agent
  readonly agents: readonly Agent[]
  /** Tools of the agents that also work without a runtime. */
  readonly tools: readonly (Tool | ToolSource)[]
  /** Options for `createRuntime`. @default none */
  readonly runtimeOptions?: RuntimeOptions | undefined
  /** Options for `runtime.close`. @default none */
  readonly closeOptions?: CloseOptions | undefined
}

type ConfigFlags = AgentFlags & { readonly config: string }

/** Flags that conflict with `--config`, because the file configures the same. */
const CONFLICTS = {
  instructions: '--instructions',
  maxTurns: '--max-turns',
  prompty: 'a .prompty file',
  workflow: 'a workflow',
}

/** Imports a provider's package only when a configuration uses it. */
const PROVIDERS: Readonly<Record<string, ProviderFactory>> = {
  openai: async options => (await import('@parley/openai')).createOpenAI(options),
  anthropic: async options => (await import('@parley/anthropic')).createAnthropic(options),
  google: async options => (await import('@parley/google')).createGoogle(options),
  ollama: async options => (await import('@parley/ollama')).createOllama(options),
}

/**
 * Opens the agents of a configuration file with the tools of the command line. `--model` replaces the file's models.
 * @throws ParleyError if the file is invalid, if it names something unknown, or if a flag conflicts with it.
 */
export async function openConfigAgents(
  flags: ConfigFlags,
  tools: readonly (Tool | ToolSource)[],
): Promise<ComposedAgents> {
  checkConflicts(flags)
  const config = flags.loaded ?? (await loadConfig(flags.config))
  const { agents, runtimeOptions, closeOptions } = await composeConfig(config, await configRegistry(flags, tools))
  const known = agents.map(({ name }) => name)
  const agent = flags.agent === undefined ? agents[0] : agents.find(({ name }) => name === flags.agent)
  if (agent === undefined) throw new ParleyError({ code: 'agent-unknown', agent: flags.agent ?? '', known })
  const own = new Set(tools)
  const used = [...new Set(agents.flatMap(({ tools = [] }) => tools))]
  return {
    agent,
    agents,
    tools: used.filter(tool => typeof tool !== 'string' && own.has(tool)) as typeof tools,
    runtimeOptions,
    closeOptions,
  }
}

/** Creates the registry of providers, models and tools that a configuration file may name. */
export async function configRegistry(
  flags: Pick<AgentFlags, 'model' | 'baseUrl'>,
  tools: readonly (Tool | ToolSource)[],
): Promise<ConfigRegistry> {
  return {
    providers: PROVIDERS,
    models: { demo: createDemoModel() },
    tools,
    ...(flags.model === undefined ? {} : { model: await chooseModel(flags) }),
  }
}

function checkConflicts(flags: ConfigFlags): void {
  for (const [field, flag] of Object.entries(CONFLICTS)) {
    if (flags[field as keyof typeof CONFLICTS] === undefined) continue
    throw new ParleyError({ code: 'config-invalid', path: '--config', detail: `cannot be combined with ${flag}` })
  }
  if (flags.baseUrl === undefined || flags.model !== undefined) return
  const detail = "requires --model together with --config, because the file's providers have their own addresses"
  throw new ParleyError({ code: 'config-invalid', path: '--base-url', detail })
}
