import type { Command } from 'commander'
import { withDatabaseFlag } from '../flags/database-flag.ts'
import { toCount } from '../flags/option-values.ts'
import { modeOf, RUN_ARGUMENT, withRecordedAgentFlags, type RecordedAgentFlags } from '../flags/run-flags.ts'
import { isOnServer, withServerFlag, type NamedServer, type ServerFlags } from '../flags/server-flag.ts'
import { programName } from '../program/program-name.ts'
import { withExamples } from '../program/with-examples.ts'
import type { Terminal } from '../render/terminal.ts'
import { readStoredRun } from '../store/read-run.ts'
import { runRecordedAgent } from './run-recorded-agent.ts'

interface ForkFlags extends RecordedAgentFlags, ServerFlags {
  /** How the user calls the CLI, for example `parley`. It appears in hints. */
  readonly command: string
  readonly at?: number
  readonly input?: string
  readonly session?: string
}

/** Defines the command `parley fork RUN`. */
export function defineForkCommand(command: Command, terminal: Terminal): void {
  command
    .description(
      'Starts a new run with the transcript that another run had after an entry of its journal. The other run does not ' +
        'change. The new run becomes the newest of its session.',
    )
    .argument('<run>', RUN_ARGUMENT)
  withDatabaseFlag(withServerFlag(command, ['at', 'input', 'session', 'model', 'json', 'quiet']))
    .option('--at <entry>', 'number of the last entry to include (default: all entries)', (text: string) =>
      toCount(text, '--at'),
    )
    .option('--input <text>', 'next message of the user (default: none; the model answers the last message again)')
    .option('-s, --session <id>', 'session of the new run (default: the session of the other run)')
  withRecordedAgentFlags(command).action(async (wanted: string, flags: Omit<ForkFlags, 'command'>) => {
    const named = { ...flags, command: programName(command) }
    process.exitCode = isOnServer(named)
      ? await forkOnServer(wanted, named, terminal)
      : await fork(wanted, named, terminal)
  })
  withExamples(command, [
    ['fork last --at 5 --input "Try again."', 'starts a branch after entry 5'],
    ['fork last', 'answers the last message again'],
  ])
}

async function forkOnServer(wanted: string, flags: ForkFlags & NamedServer, terminal: Terminal): Promise<number> {
  const { actOnServer } = await import('../remote/act-on-server.ts')
  const { at, input, model } = flags
  return actOnServer({ wanted, flags, terminal }, (runtime, { runId, sessionId }) =>
    runtime.fork(runId, { at, input, model, sessionId: flags.session ?? sessionId }),
  )
}

async function fork(
  wanted: string,
  { db, at, input, session: sessionId, json, quiet, command, agents, ...changes }: ForkFlags,
  terminal: Terminal,
): Promise<number> {
  const { record, started } = await readStoredRun(db, wanted)
  const options = { started, changes, agents, mode: modeOf({ json, quiet }), database: db, command }
  return runRecordedAgent(options, terminal, ({ runtime }) => runtime.fork(record.runId, { at, input, sessionId }))
}
