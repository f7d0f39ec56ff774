import manifest from '../package.json' with { type: 'json' }
import { CommanderError } from 'commander'
import { createProgram } from './program/create-program.ts'
import { onDatabase } from './store/database.ts'
import { processTerminal, type Terminal } from './render/terminal.ts'

export interface MainOptions {
  /** Where output is written. @default the output of this process */
  readonly terminal?: Terminal | undefined
  /** How the user calls the CLI, for the hints in its output. @default 'parley' */
  readonly command?: string | undefined
}

/** Runs the `parley` command. @returns The exit code: 2 if the command line is invalid, else the code of the command. */
export async function main(
  args: readonly string[],
  { terminal = processTerminal(), command = 'parley' }: MainOptions = {},
): Promise<number> {
  // Commands set their exit code here, and `main` may run several times in one process.
  process.exitCode = 0
  const program = createProgram({ name: command, version: manifest.version, terminal })
  const words = withDefaults(args, terminal)
  if (words.length === 0) {
    program.outputHelp()
    return 2
  }
  try {
    await program.parseAsync(words, { from: 'user' })
    return process.exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const { explainFailure } = await import('./render/explain-failure.ts')
    const text = explainFailure(error, { command, place: placeIn(words) })
    if (text === undefined) throw error
    terminal.error(`parley: ${text}\n`)
    return 2
  }
}

/** Flags that a user gives without a command. */
const PROGRAM_FLAGS = new Set(['-h', '--help', '-V', '--version'])

/**
 * Completes the arguments of the command line. Without a command, a user at a terminal gets a chat. `help NAME…`
 * becomes `NAME… --help`, because Commander would print the help of a command whose module is not loaded.
 */
function withDefaults(args: readonly string[], { isInteractive }: Terminal): readonly string[] {
  if (args.length === 0) return isInteractive ? ['chat'] : []
  // `parley --model demo` chats, as `parley` alone does.
  if (isInteractive && args[0]?.startsWith('-') === true && !PROGRAM_FLAGS.has(args[0])) return ['chat', ...args]
  return args[0] === 'help' ? [...args.slice(1), '--help'] : args
}

/** Returns the options of a command line that select the database or the server, without a password. */
function placeIn(words: readonly string[]): string {
  const at = words.findIndex(word => /^--(db|server)(=|$)/.test(word))
  const [flag = '', value = words[at + 1] ?? ''] = words[at]?.split(/=(.*)/s) ?? []
  if (flag === '--server') return ` --server ${value}`
  return flag === '' ? '' : onDatabase(value)
}
