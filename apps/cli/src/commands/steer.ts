import { ParleyError } from '@parley/core'
import type { Command } from 'commander'
import { withDatabaseFlag } from '../flags/database-flag.ts'
import { RUN_ARGUMENT } from '../flags/run-flags.ts'
import { withExamples } from '../program/with-examples.ts'
import type { Terminal } from '../render/terminal.ts'
import { openExistingStore } from '../store/open-store.ts'
import { findRun } from '../store/read-run.ts'

interface SteerFlags {
  readonly db: string
  readonly followUp?: boolean
}

/** Defines the command `parley steer RUN TEXT`. */
export function defineSteerCommand(command: Command, terminal: Terminal): void {
  command
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
      const { createRuntime } = await import('@parley/engine')
      await using runtime = createRuntime({ store })
      await (followUp ? runtime.followUp(runId, text) : runtime.steer(runId, text))
      terminal.out(`Sent to run ${runId}.\n`)
    })
  withExamples(command, [
    ['steer last "Use metric units."', 'sends a message to a running run'],
    ['steer last "Now in French." --follow-up', 'sends it for when the run would end'],
  ])
}
