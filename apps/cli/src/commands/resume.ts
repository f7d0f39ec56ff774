import { messageText } from '@parley/core'
import { loadRun } from '@parley/engine'
import type { Command } from 'commander'
import { withDatabaseFlag } from '../flags/database-flag.ts'
import { modeOf, RUN_ARGUMENT, withRecordedAgentFlags, type RecordedAgentFlags } from '../flags/run-flags.ts'
import type { Terminal } from '../render/terminal.ts'
import { openExistingStore } from '../store/open-store.ts'
import { readRun } from '../store/read-run.ts'
import { runRecordedAgent } from './run-recorded-agent.ts'

interface ResumeFlags extends RecordedAgentFlags {
  /** How the user calls the CLI, for example `parley`. It appears in hints. */
  readonly command: string
  readonly force?: boolean
  readonly config?: string
}

/** Adds the command `parley resume [RUN]`. */
export function addResumeCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('resume')
    .summary('resume an interrupted run')
    .description(
      'Resumes a run that a crash, a kill or a shutdown interrupted, with the agent that it was started with. Finished ' +
        'tool calls do not run again. A call without a recorded result runs again only if its tool declares that this is ' +
        'safe.',
    )
    .argument('[run]', RUN_ARGUMENT, 'last')
  withRecordedAgentFlags(withDatabaseFlag(command))
    .option('--config <file>', 'configuration file to use instead of the one that the run was started with')
    .option('--force', 'take the run from another process that still seems to drive it')
    .action(async (wanted: string, flags: Omit<ResumeFlags, 'command'>) => {
      process.exitCode = await resume(wanted, { ...flags, command: program.name() }, terminal)
    })
}

async function resume(
  wanted: string,
  { db, force, json, command, ...changes }: ResumeFlags,
  terminal: Terminal,
): Promise<number> {
  const { started, runId, status, answer, isReleased } = await readState(db, wanted)
  if (status !== 'running' && !isReleased) {
    terminal.out(`Run ${runId} has already ended: ${status}.\n${answer === '' ? '' : `\n${answer}\n`}`)
    return 0
  }
  const options = { started, changes, mode: modeOf({ json }), database: db, command }
  return runRecordedAgent(options, terminal, ({ runtime }) => runtime.resume(runId, { force }))
}

async function readState(db: string, wanted: string) {
  await using store = await openExistingStore(db)
  const { record, entries, started } = await readRun(store, wanted)
  const { runId, status } = record
  const { transcript } = await loadRun(store, runId)
  const answer = transcript.last?.role === 'assistant' ? messageText(transcript.last) : ''
  const last = entries.at(-1)
  // A process that shuts down, such as `parley serve`, releases its unfinished runs.
  const isReleased = last?.type === 'run.suspended' && last.reason === 'shutdown'
  return { started, runId, status, answer, isReleased }
}
