import { summarize } from '@parley/context-policies'
import { defineAgent } from '@parley/engine'
import type { Command } from 'commander'
import { withDatabaseFlag } from '../flags/database-flag.ts'
import { toCount } from '../flags/option-values.ts'
import { modeOf, RUN_ARGUMENT, withRecordedAgentFlags, type RecordedAgentFlags } from '../flags/run-flags.ts'
import type { Terminal } from '../render/terminal.ts'
import { readStoredRun } from '../store/read-run.ts'
import { runRecordedAgent } from './run-recorded-agent.ts'

interface CompactFlags extends RecordedAgentFlags {
  /** How the user calls the CLI, for example `parley`. It appears in hints. */
  readonly command: string
  readonly keep: number
  readonly focus?: string
}

/** Adds the command `parley compact [RUN]`. */
export function addCompactCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('compact')
    .summary('summarise a session, so that less is sent to the model')
    .description(
      'Lets the model summarise the session of a run, except its newest turns. From then on the session sends the summary ' +
        'to the model. Its journals still contain every message.',
    )
    .argument('[run]', RUN_ARGUMENT, 'last')
  withDatabaseFlag(command)
    .option('--keep <n>', 'number of newest turns to keep unchanged', (text: string) => toCount(text, '--keep'), 4)
    .option('--focus <text>', 'topic that the summary should focus on')
  withRecordedAgentFlags(command).action(async (wanted: string, flags: Omit<CompactFlags, 'command'>) => {
    process.exitCode = await compact(wanted, { ...flags, command: program.name() }, terminal)
  })
}

async function compact(
  wanted: string,
  { db, keep, focus, json, command, ...changes }: CompactFlags,
  terminal: Terminal,
): Promise<number> {
  const { record, started } = await readStoredRun(db, wanted)
  const options = { started, changes, mode: modeOf({ json }), database: db, command }
  return runRecordedAgent(options, terminal, composition => {
    const agent = defineAgent({ ...composition.agent, context: summarize({ keepRecentTurns: keep, focus }) })
    return composition.runtime.compact(record.sessionId, { agent })
  })
}
