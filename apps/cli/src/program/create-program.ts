import { Command } from 'commander'
import type { Terminal } from '../render/terminal.ts'
import { COMMANDS } from './command-table.ts'
import { environmentHelp } from './environment.ts'
import { loadCommand, setLoader } from './load-command.ts'
import { withExamples } from './with-examples.ts'

export interface ProgramOptions {
  /** How the user calls the CLI. */
  readonly name: string
  readonly version: string
  readonly terminal: Terminal
}

/** Creates the command line. A command gets its arguments and options when it is used: see `loadCommand`. */
export function createProgram({ name, version, terminal }: ProgramOptions): Command {
  const program = new Command(name)
    .description('Run agents with tools. A journal records every step, so that an interrupted run can be resumed.')
    .version(version, '-V, --version', 'print the version')
    .configureOutput({ writeOut: text => terminal.out(text), writeErr: text => terminal.error(toParleyError(text)) })
    .showHelpAfterError(false)
    .exitOverride()
    .hook('preSubcommand', (_, command) => loadCommand(command))
  withExamples(program, [
    ['', 'opens a chat, in a terminal'],
    ['run "What is 12 * 34?"', 'asks one question'],
    ['run --help', 'describes a command with examples'],
  ])
  program.addHelpText('after', environmentHelp())
  for (const { name: word, summary, hidden = false, unserved, load } of COMMANDS) {
    const command = program.command(word, { hidden }).summary(summary)
    setLoader(command, async () => {
      const define = await load()
      define(command, terminal)
      if (unserved !== undefined) (await import('../flags/server-flag.ts')).refuseServer(command, unserved)
    })
  }
  return program
}

/** Gives Commander's errors the form of our own, in one line: `parley: unknown command 'rnu'. Did you mean run?` */
function toParleyError(text: string): string {
  return text.replace(/^error: /, 'parley: ').replace(/\n\((Did you mean .*\?)\)/, '. $1')
}
