import type { Command } from 'commander'

/** How the user calls the CLI, for example `parley`. It appears in hints. */
export function programName(command: Command): string {
  return command.parent === null ? command.name() : programName(command.parent)
}
