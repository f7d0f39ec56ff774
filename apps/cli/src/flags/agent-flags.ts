import { resolve } from 'node:path'
import { ParleyError, type Json } from '@parley/core'
import type { Config } from '@parley/config'
import { Option, type Command } from 'commander'

/** How the command line puts an agent together. Kept in the run's journal, so that it can be resumed as it was. */
export interface AgentFlags {
  readonly model?: string | undefined
  readonly baseUrl?: string | undefined
  readonly mcp?: string | undefined
  readonly tools?: readonly string[] | undefined
  readonly root: string
  readonly instructions?: string | undefined
  readonly maxTurns?: number | undefined
  /** A prompt file the agent is made of, instead of instructions. */
  readonly prompty?: string | undefined
  /** Values for its inputs, each `name=value`. */
  readonly input?: readonly string[] | undefined
  /** A workflow's file, or the name of a saved one, in the place of the agent, which its steps may name. */
  readonly workflow?: string | undefined
  /** Its definition as it was when the run began, whatever the file or the database says now. @default found by `workflow` */
  readonly definition?: Json | undefined
  /** Versions of saved workflows it names. @default the newest */
  readonly versions?: Readonly<Record<string, number>> | undefined
  /** Further agents its steps may name, each `name=file.prompty`. */
  readonly agents?: readonly string[] | undefined
  /** A configuration file, whose agents are run in the place of the one the flags describe. */
  readonly config?: string | undefined
  /** The same, once it was read. */
  readonly loaded?: Config | undefined
  /** The name of the one that is asked. @default the first */
  readonly agent?: string | undefined
}

export const DEFAULT_DATABASE = '.parley/parley.db'

/** Adds the options that say what the agent is made of. */
export function withAgentFlags(command: Command): Command {
  command
    .option(
      '-m, --model <id>',
      "'demo', anthropic/<id>, google/<id>, ollama/<id>, or an id of the server (default: $OPENAI_MODEL, or demo without OPENAI_API_KEY)",
    )
    .option('--base-url <url>', 'OpenAI-shaped server to ask (default: $OPENAI_BASE_URL)')
  return withToolFlags(command)
    .option('-i, --instructions <text>', 'what the agent is told before everything else')
    .addOption(
      new Option('--max-turns <n>', 'most model calls (default: 50)').argParser((text: string) =>
        toCount(text, '--max-turns'),
      ),
    )
}

/** Adds the option that names a configuration file. */
export function withConfigFlag(command: Command): Command {
  return command.option('--config <file>', 'YAML, JSON or TOML file that describes agents, models and the runtime')
}

/** Adds the options that say which tools there are. */
export function withToolFlags(command: Command): Command {
  return command
    .option('--mcp <file>', 'MCP servers to use, in the mcp.json shape other clients use')
    .addOption(
      new Option(
        '--tools <module>',
        'JavaScript module whose exported tools the agent gets; may be repeated',
      ).argParser((path: string, before: readonly string[] | undefined) => [...(before ?? []), path]),
    )
    .option('--root <dir>', 'directory the file tools may read', '.')
}

/** Adds the option that says where runs are kept; without it, a configuration may say so. */
export function withDatabase(command: Command): Command {
  return command
    .option('--db <place>', 'SQLite file or postgres:// address the runs are kept in', DEFAULT_DATABASE)
    .hook('preAction', async (_, action) => {
      const { config } = action.opts<Pick<AgentFlags, 'config'>>()
      if (config === undefined || action.getOptionValueSource('db') !== 'default') return
      const { loadConfig } = await import('@parley/config/node')
      const loaded = await loadConfig(config)
      action.setOptionValue('loaded', loaded)
      const { data } = loaded
      if (data.runtime?.store !== undefined) action.setOptionValueWithSource('db', data.runtime.store, 'config')
    })
}

/** @throws ParleyError `config-invalid` naming the flag. */
export function toCount(text: string, flag: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count > 0) return count
  throw new ParleyError({ code: 'config-invalid', path: flag, detail: `'${text}' is no whole number above 0` })
}

/** The flags with absolute paths, without those that were not given. */
export function toMetadata(flags: AgentFlags): Record<string, Json> {
  const {
    model,
    baseUrl,
    mcp,
    tools,
    root,
    instructions,
    maxTurns,
    prompty,
    input,
    workflow,
    definition,
    versions,
    agents,
    config,
    agent,
  } = flags
  const found = {
    model,
    baseUrl,
    mcp: mcp === undefined ? undefined : resolve(mcp),
    tools: tools?.map(path => resolve(path)),
    root: resolve(root),
    instructions,
    maxTurns,
    prompty: prompty === undefined ? undefined : resolve(prompty),
    input,
    workflow,
    definition,
    versions,
    agents,
    config: config === undefined ? undefined : resolve(config),
    agent,
  }
  return JSON.parse(JSON.stringify(found)) as Record<string, Json>
}

/** The flags a run was started with; those given now win. */
export function fromMetadata(
  metadata: Readonly<Record<string, Json>> | undefined,
  given: Partial<AgentFlags>,
): AgentFlags {
  return { root: '.', ...(metadata as Partial<AgentFlags> | undefined), ...given }
}
