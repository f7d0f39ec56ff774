import type { Command } from 'commander'
import type { RenderMode } from '../render/render-run.ts'

/** Help text of the argument that selects a run. */
export const RUN_ARGUMENT =
  "id of the run, a unique start or end of it, or 'last' for the newest run that is not a child run"

/** Flags that select how a run is printed. */
export interface OutputFlags {
  readonly json?: boolean | undefined
  readonly quiet?: boolean | undefined
}

export function modeOf({ json, quiet }: OutputFlags): RenderMode {
  if (json === true) return 'json'
  return quiet === true ? 'quiet' : 'text'
}

/** Adds `--json` and `--quiet`. */
export function withOutputFlags(command: Command): Command {
  return command
    .option('--json', 'print every event as one line of JSON')
    .option('-q, --quiet', 'print only the final answer')
}

/** Adds the flags of commands that start a run: `--session`, `--json` and `--quiet`. */
export function withNewRunFlags(command: Command): Command {
  return withOutputFlags(withSessionFlag(command))
}

/** Adds `--session`. */
export function withSessionFlag(command: Command): Command {
  return command.option('-s, --session <id>', 'continue this session (default: start a new one)')
}

/** The flag of commands that continue a run whose agent may be written in code. */
export interface AgentsFlag {
  readonly agents?: string
}

/** Adds `--agents`. */
export function withAgentsFlag(command: Command): Command {
  return command.option(
    '--agents <module>',
    'module that exports the agent of the run, if a program has started it (default: as the run was started)',
  )
}

/** Flags of commands that use the agent of an earlier run. */
export interface RecordedAgentFlags extends OutputFlags, AgentsFlag {
  readonly db: string
  readonly model?: string
  readonly baseUrl?: string
}

/** Adds the flags that replace parts of the agent that a run was started with, `--json` and `--quiet`. */
export function withRecordedAgentFlags(command: Command): Command {
  return withOutputFlags(
    withAgentsFlag(command)
      .option('-m, --model <id>', 'model to use instead of the one that the run was started with')
      .option('--base-url <url>', 'server to use instead of the one that the run was started with'),
  )
}
