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

interface CompactFlags extends RecordedAgentFlags, ServerFlags {
  /** How the user calls the CLI, for example `parley`. It appears in hints. */
  readonly command: string
  readonly keep: number
  readonly focus?: string
}

/** Defines the command `parley compact [RUN]`. */
export function defineCompactCommand(command: Command, terminal: Terminal): void {
  command
    .description(
      'Lets the model summarize the session of a run, except its newest turns. From then on the session sends the summary ' +
        'to the model. Its journals still contain every message.',
    )
    .argument('[run]', RUN_ARGUMENT, 'last')
  withDatabaseFlag(withServerFlag(command, ['keep', 'focus', 'json', 'quiet']))
    .option('--keep <n>', 'number of newest turns to keep unchanged', (text: string) => toCount(text, '--keep'), 4)
    .option('--focus <text>', 'topic that the summary should focus on')
  withRecordedAgentFlags(command).action(async (wanted: string, flags: Omit<CompactFlags, 'command'>) => {
    const named = { ...flags, command: programName(command) }
    process.exitCode = isOnServer(named)
      ? await compactOnServer(wanted, named, terminal)
      : await compact(wanted, named, terminal)
  })
  withExamples(command, [['compact --keep 2', 'summarizes the session of the newest run']])
}

async function compactOnServer(wanted: string, flags: CompactFlags & NamedServer, terminal: Terminal): Promise<number> {
  const { actOnServer } = await import('../remote/act-on-server.ts')
  const { keep, focus } = flags
  return actOnServer({ wanted, flags, terminal }, (runtime, { runId }) => runtime.compact(runId, { keep, focus }))
}

async function compact(
  wanted: string,
  { db, keep, focus, json, quiet, command, agents, ...changes }: CompactFlags,
  terminal: Terminal,
): Promise<number> {
  const [{ summarize }, { defineAgent }] = await Promise.all([
    import('@parley/context-policies'),
    import('@parley/engine'),
  ])
  const { record, started } = await readStoredRun(db, wanted)
  const options = { started, changes, agents, mode: modeOf({ json, quiet }), database: db, command }
  return runRecordedAgent(options, terminal, composition => {
    const agent = defineAgent({ ...composition.agent, context: summarize({ keepRecentTurns: keep, focus }) })
    return composition.runtime.compact(record.sessionId, { agent })
  })
}
