import { composeConfig, type ConfigRegistry, type ProviderFactory } from '@parley/config'
import { loadConfig } from '@parley/config/node'
import { standardRegistry } from '@parley/config/standard'
import { ParleyError, type Store, type Tool, type ToolSource } from '@parley/core'
import { createDemoModel } from '@parley/demo-model'
import type { Agent, CloseOptions, RuntimeOptions } from '@parley/engine'
import type { AgentFlags } from '../flags/agent-flags.ts'
import { chooseModel } from './choose-model.ts'
import { openTokenStore, warnSkipped } from './mcp-servers.ts'

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
  /** Starts the MCP servers of the file. @default none */
  readonly start?: (() => Promise<void>) | undefined
  /** Whether the file configures traces, so that the environment does not. @default false */
  readonly isTraced?: boolean | undefined
}

/** The tools and the store of the command line, which a configuration file can use. */
export interface ConfigSurroundings {
  readonly tools: readonly (Tool | ToolSource)[]
  /** The store that the toolset `memory` uses. @default none: the file cannot use this toolset */
  readonly store?: Store | undefined
}

type ConfigFlags = AgentFlags & { readonly config: string }

/** Flags that conflict with `--config`, because the file configures the same things. */
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
export async function openConfigAgents(flags: ConfigFlags, surroundings: ConfigSurroundings): Promise<ComposedAgents> {
  checkConflicts(flags)
  const config = flags.loaded ?? (await loadConfig(flags.config))
  const composed = await composeConfig(config, await configRegistry(flags, surroundings))
  const { agents, tools, runtimeOptions, closeOptions } = composed
  const known = agents.map(({ name }) => name)
  const agent = flags.agent === undefined ? agents[0] : agents.find(({ name }) => name === flags.agent)
  if (agent === undefined) throw new ParleyError({ code: 'agent-unknown', agent: flags.agent ?? '', known })
  const { mcpStartupPolicy: startupPolicy } = flags
  return {
    agent,
    agents,
    tools,
    runtimeOptions,
    closeOptions,
    start: () => composed.start({ startupPolicy, onSkip: warnSkipped }),
    isTraced: config.data.otel !== undefined,
  }
}

/** Creates the registry of what a configuration file may name. */
export async function configRegistry(
  flags: Pick<AgentFlags, 'model' | 'baseUrl'>,
  { tools, store }: ConfigSurroundings,
): Promise<ConfigRegistry> {
  return {
    ...standardRegistry({ store, tokenStore: openTokenStore }),
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
