import { parseStored } from './parse-stored.ts'
import { runCommandSchema, type RunCommand } from '../run-command.ts'

/**
 * Reads one stored command of a run's inbox. `where` names its place (store, run, position) for the error.
 * @throws ParleyError `store-corrupt` when the text is no command this release knows.
 */
export function parseRunCommand(text: string, where: string): RunCommand {
  return parseStored(text, { schema: runCommandSchema, name: 'command', where })
}
