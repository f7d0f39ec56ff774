import manifest from '../package.json' with { type: 'json' }
import { describeError, ParleyError } from '@parley/core'
import { Command, CommanderError } from 'commander'
import { addApproveCommand } from './commands/approve.ts'
import { addBackupCommand } from './commands/backup.ts'
import { addCancelCommand } from './commands/cancel.ts'
import { addChatCommand } from './commands/chat.ts'
import { addCompactCommand } from './commands/compact.ts'
import { addConfigCommand } from './commands/config.ts'
import { addDoctorCommand } from './commands/doctor/doctor.ts'
import { addForkCommand } from './commands/fork.ts'
import { addGcCommand } from './commands/gc.ts'
import { addMcpCommand } from './commands/mcp/mcp.ts'
import { addPromptyCommand } from './commands/prompty.ts'
import { addResumeCommand } from './commands/resume.ts'
import { addRunCommand } from './commands/run.ts'
import { addRunsCommand } from './commands/runs.ts'
import { addServeCommand } from './commands/serve.ts'
import { addSteerCommand } from './commands/steer.ts'
import { addTraceCommand } from './commands/trace.ts'
import { addWorkflowCommand } from './commands/workflow/workflow.ts'
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
  const program = new Command(command)
    .description('Run agents with tools. A journal records every step, so that an interrupted run can be resumed.')
    .version(manifest.version, '-V, --version', 'print the version')
    .configureOutput({ writeOut: text => terminal.out(text), writeErr: text => terminal.error(toParleyError(text)) })
    .showHelpAfterError(false)
    .exitOverride()
  for (const add of [
    addRunCommand,
    addChatCommand,
    addTraceCommand,
    addResumeCommand,
    addApproveCommand,
    addSteerCommand,
    addCancelCommand,
    addRunsCommand,
    addForkCommand,
    addCompactCommand,
    addGcCommand,
    addServeCommand,
    addBackupCommand,
    addDoctorCommand,
    addMcpCommand,
    addPromptyCommand,
    addWorkflowCommand,
    addConfigCommand,
  ])
    add(program, terminal)
  for (const command of program.commands) command.copyInheritedSettings(program)
  if (args.length === 0) {
    program.outputHelp()
    return 2
  }
  try {
    await program.parseAsync(args, { from: 'user' })
    return process.exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (!ParleyError.is(error)) throw error
    terminal.error(`parley: ${describeError(error.info).replaceAll(/\s*\n\s*/g, ' ')}\n`)
    return 2
  }
}

/** Gives Commander's errors the form of our own: `parley: unknown command 'x'`. */
function toParleyError(text: string): string {
  return text.replace(/^error: /, 'parley: ')
}
