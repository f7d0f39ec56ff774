import { ParleyError } from '@parley/core'
import type { Command } from 'commander'
import { withDatabaseFlag } from '../flags/database-flag.ts'
import { RUN_ARGUMENT } from '../flags/run-flags.ts'
import { withExamples } from '../program/with-examples.ts'
import type { Terminal } from '../render/terminal.ts'
import { openExistingStore } from '../store/open-store.ts'
import { findRun } from '../store/read-run.ts'

interface ExportFlags {
  readonly db: string
  readonly cassette: string
  readonly keepPersonalData?: boolean
  readonly server?: string
}

/** Adds the command `parley runs export RUN`. */
export function addRunsExportCommand(runs: Command, terminal: Terminal): void {
  const command = runs
    .command('export')
    .summary('write the model calls of a run to a cassette')
    .description(
      'Writes the model calls of a run and its child runs to a cassette file, from which `replayModel` of @parley/evals answers in ' +
        'tests. Credentials and personal data are removed.',
    )
    .argument('<run>', RUN_ARGUMENT)
    .requiredOption('--cassette <file>', 'file to write; an older one is replaced')
    .option('--keep-personal-data', 'do not replace e-mail addresses, telephone numbers and other personal data')
  // Commander gives --db to `runs`, which has it too.
  withDatabaseFlag(command).action(async (wanted: string) => exportRun(wanted, command.optsWithGlobals(), terminal))
  withExamples(command, [['runs export last --cassette test/last.jsonl', 'the model calls of the newest run']])
}

async function exportRun(
  wanted: string,
  { db, cassette: file, keepPersonalData, server }: ExportFlags,
  terminal: Terminal,
): Promise<void> {
  if (server !== undefined) {
    const detail = 'cannot be used with export, because the server has no route for cassettes'
    throw new ParleyError({ code: 'config-invalid', path: '--server', detail })
  }
  const { loadRunCassette, writeCassette } = await import('@parley/evals/recordings')
  await using store = await openExistingStore(db)
  const { runId } = await findRun(store, wanted)
  const cassette = await loadRunCassette(store, runId, keepPersonalData === true ? { personalData: [] } : {})
  if (cassette.calls.length === 0) {
    throw new ParleyError({ code: 'config-invalid', path: 'run', detail: `run '${runId}' called no model` })
  }
  try {
    writeCassette(file, cassette)
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    throw new ParleyError({ code: 'config-invalid', path: '--cassette', detail }, { cause: error })
  }
  const count = cassette.calls.length
  terminal.out(
    `Wrote ${count} ${count === 1 ? 'call' : 'calls'} of ${cassette.models.length === 1 ? 'one model' : `${cassette.models.length} models`} to ${file}.\n`,
  )
  if (cassette.calls.some(({ request }) => request.settings === undefined)) {
    terminal.error(
      "The journal does not keep the requests of this run, so only the messages are compared. To compare all of a request, run agents with captureRequests: 'keep'.\n",
    )
  }
}
