import type { Command } from 'commander'
import type { RenderMode } from '../render/render-run.ts'

/** Help text of the argument that selects a run. */
export const RUN_ARGUMENT = "id of the run, the end of its id, or 'last' for the newest run that is not a child run"

/** Flags that select how a run is printed. */
export interface OutputFlags {
  readonly json?: boolean | undefined
  readonly quiet?: boolean | undefined
}

export function modeOf({ json, quiet }: OutputFlags): RenderMode {
  if (json === true) return 'json'
  return quiet === true ? 'quiet' : 'text'
}

/** Adds `--json`. */
function withJsonFlag(command: Command): Command {
  return command.option('--json', 'print every event as one line of JSON')
}

/** Adds the flags of commands that start a run: `--session`, `--json` and `--quiet`. */
export function withNewRunFlags(command: Command): Command {
  return withJsonFlag(withSessionFlag(command)).option('-q, --quiet', 'print only the answer')
}

/** Adds `--session`. */
export function withSessionFlag(command: Command): Command {
  return command.option('-s, --session <id>', 'continue this session (default: start a new one)')
}

/** Flags of commands that use the agent of an earlier run. */
export interface RecordedAgentFlags {
  readonly db: string
  readonly json?: boolean
  readonly model?: string
  readonly baseUrl?: string
}

/** Adds the flags that replace parts of the agent that a run was started with, and `--json`. */
export function withRecordedAgentFlags(command: Command): Command {
  return withJsonFlag(
    command
      .option('-m, --model <id>', 'model to use instead of the one that the run was started with')
      .option('--base-url <url>', 'server to use instead of the one that the run was started with'),
  )
}
