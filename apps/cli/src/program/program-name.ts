import type { Command } from 'commander'

/** Returns how the user calls the CLI, for example `parley`, for hints. */
export function programName(command: Command): string {
  return command.parent === null ? command.name() : programName(command.parent)
}
