import { ParleyError } from '@parley/core'
import { createRuntime } from '@parley/engine'
import type { Command } from 'commander'
import { withDatabaseFlag } from '../flags/database-flag.ts'
import { RUN_ARGUMENT } from '../flags/run-flags.ts'
import type { Terminal } from '../render/terminal.ts'
import { openExistingStore } from '../store/open-store.ts'
import { findRun } from '../store/read-run.ts'

interface SteerFlags {
  readonly db: string
  readonly followUp?: boolean
}

/** Adds the command `parley steer RUN TEXT`. */
export function addSteerCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('steer')
    .summary('send a message to a run of any process')
    .description(
      'Sends a message to an unfinished run, whichever process drives it. The model reads it after the current model call ' +
        'or tool calls. A run without a driver reads it when it is resumed.',
    )
    .argument('<run>', RUN_ARGUMENT)
    .argument('<text>', 'the message')
  withDatabaseFlag(command)
    .option('--follow-up', 'deliver the message only when the run would otherwise end')
    .action(async (wanted: string, text: string, { db, followUp = false }: SteerFlags) => {
      if (text.trim() === '')
        throw new ParleyError({ code: 'config-invalid', path: 'text', detail: 'must not be empty' })
      await using store = await openExistingStore(db)
      const { runId } = await findRun(store, wanted)
      await using runtime = createRuntime({ store })
      await (followUp ? runtime.followUp(runId, text) : runtime.steer(runId, text))
      terminal.out(`Sent to run ${runId}.\n`)
    })
}
