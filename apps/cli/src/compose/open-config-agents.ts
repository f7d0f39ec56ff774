import { composeConfig, type ConfigRegistry, type ProviderFactory } from '@parley/config'
import { loadConfig } from '@parley/config/node'
import { ParleyError, type Tool, type ToolSource } from '@parley/core'
import { createDemoModel } from '@parley/demo-model'
import type { AgentFlags } from '../flags/agent-flags.ts'
import { chooseModel } from './choose-model.ts'
import type { OpenAgents } from './open-agents.ts'

type ConfigFlags = AgentFlags & { readonly config: string }

/** Flags that say what a configuration says of its agents. */
const OF_THE_FILE = {
  instructions: '--instructions',
  maxTurns: '--max-turns',
  prompty: 'a .prompty file',
  workflow: 'a workflow',
}

/** Loaded when a configuration names one. */
const PROVIDERS: Readonly<Record<string, ProviderFactory>> = {
  openai: async options => (await import('@parley/openai')).createOpenAI(options),
  anthropic: async options => (await import('@parley/anthropic')).createAnthropic(options),
  google: async options => (await import('@parley/google')).createGoogle(options),
  ollama: async options => (await import('@parley/ollama')).createOllama(options),
}

/**
 * The agents of a configuration file, with the tools of the command line. A model named by a flag is asked in the place of the
 * file's.
 * @throws ParleyError for a file that cannot be used, for what it names and is not there, and for flags that contradict it.
 */
export async function openConfigAgents(flags: ConfigFlags, tools: readonly (Tool | ToolSource)[]): Promise<OpenAgents> {
  checkFlags(flags)
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

/** What configurations may name on the command line. */
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

function checkFlags(flags: ConfigFlags): void {
  for (const [field, flag] of Object.entries(OF_THE_FILE)) {
    if (flags[field as keyof typeof OF_THE_FILE] === undefined) continue
    throw new ParleyError({ code: 'config-invalid', path: '--config', detail: `does not go together with ${flag}` })
  }
  if (flags.baseUrl === undefined || flags.model !== undefined) return
  const detail = "needs --model with --config; the file's providers have addresses of their own"
  throw new ParleyError({ code: 'config-invalid', path: '--base-url', detail })
}
