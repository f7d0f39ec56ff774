import { resolve } from 'node:path'
import type { Json } from '@parley/core'
import type { Config } from '@parley/config'
import { Option, type Command } from 'commander'
import { repeatable, toCount } from './option-values.ts'

/**
 * Describes the agent that the command line composes. The journal stores the flags, so that a run resumes with the same
 * agent.
 */
export interface AgentFlags {
  readonly model?: string | undefined
  readonly baseUrl?: string | undefined
  readonly mcp?: string | undefined
  /** What happens if an MCP server does not start. @default the policy of the configuration file, or 'fail-fast' */
  readonly mcpStartupPolicy?: 'fail-fast' | 'log-and-continue' | undefined
  readonly tools?: readonly string[] | undefined
  readonly root: string
  readonly instructions?: string | undefined
  readonly maxTurns?: number | undefined
  /** Path of a .prompty file that describes the agent instead of `instructions`. @default none */
  readonly prompty?: string | undefined
  /** Values for the inputs of the .prompty file, each `name=value`. @default none */
  readonly input?: readonly string[] | undefined
  /**
   * Path of a workflow's file, or the name of a saved workflow, to run instead of the agent. Its steps may name the agent.
   * @default none
   */
  readonly workflow?: string | undefined
  /**
   * The workflow's definition when the run started. Later changes to the file or the database do not affect the run.
   * @default found by `workflow`
   */
  readonly definition?: Json | undefined
  /** Versions of the saved workflows that the workflow uses, by name. @default the newest ones */
  readonly versions?: Readonly<Record<string, number>> | undefined
  /** Additional agents that the steps may name, each `name=file.prompty`. @default none */
  readonly agents?: readonly string[] | undefined
  /** Path of a module whose exported agents run instead of the one that the flags describe. @default none */
  readonly module?: string | undefined
  /** Path of a configuration file. Its agents run instead of the one that the flags describe. @default none */
  readonly config?: string | undefined
  /** The parsed configuration file, if a command has read it already. @default none */
  readonly loaded?: Config | undefined
  /** Name of the agent to run. @default the first one of the configuration file */
  readonly agent?: string | undefined
}

/** Adds the flags that describe the agent. */
export function withAgentFlags(command: Command): Command {
  command
    .option(
      '-m, --model <id>',
      "model: 'demo', anthropic/<id>, google/<id>, ollama/<id>, or a model id of the server (default: $OPENAI_MODEL, or demo without OPENAI_API_KEY)",
    )
    .option('--base-url <url>', 'address of an OpenAI-compatible server (default: $OPENAI_BASE_URL)')
  return withToolFlags(command)
    .option('-i, --instructions <text>', 'system instructions of the agent')
    .addOption(
      new Option('--max-turns <n>', 'maximum number of model calls (default: 50)').argParser((text: string) =>
        toCount(text, '--max-turns'),
      ),
    )
}

/** Adds `--config`. */
export function withConfigFlag(command: Command): Command {
  return command.option('--config <file>', 'YAML, JSON or TOML file that describes agents, models and the runtime')
}

/** Adds the flags that add tools. */
export function withToolFlags(command: Command): Command {
  return command
    .option('--mcp <file>', 'mcp.json file with the MCP servers whose tools the agent gets')
    .addOption(
      new Option(
        '--mcp-startup-policy <policy>',
        'what happens if an MCP server does not start (default: fail-fast, or what the --config file says)',
      ).choices(['fail-fast', 'log-and-continue']),
    )
    .addOption(repeatable('--tools <module>', 'JavaScript module whose exported tools the agent gets'))
    .option('--root <dir>', 'directory that the file tools may read', '.')
}

/** Converts the flags to journal metadata: paths become absolute, and missing flags are left out. */
export function toMetadata(flags: AgentFlags): Record<string, Json> {
  const {
    model,
    baseUrl,
    mcp,
    mcpStartupPolicy,
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
    mcpStartupPolicy,
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

/** Reads the flags that a run was started with. The flags in `changes` replace them. */
export function fromMetadata(
  metadata: Readonly<Record<string, Json>> | undefined,
  changes: Partial<AgentFlags>,
): AgentFlags {
  return { root: '.', ...(metadata as Partial<AgentFlags> | undefined), ...changes }
}
