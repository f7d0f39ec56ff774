import { ParleyError } from '@parley/core'
import { createRuntime } from '@parley/engine'
import type { Command } from 'commander'
import { withDatabase } from '../flags/agent-flags.ts'
import { findRun } from '../store/find-run.ts'
import { openExistingStore } from '../store/open-existing-store.ts'
import type { Terminal } from '../render/terminal.ts'

interface SteerFlags {
  readonly db: string
  readonly followUp?: boolean
}

/** `parley steer RUN TEXT` */
export function addSteerCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('steer')
    .summary('put in a word with a run, whichever process drives it')
    .description(
      'Leaves a message for an unfinished run. It joins at the next boundary: after the model call or the tools at work now. ' +
        'A run that nobody drives finds it when it is resumed.',
    )
    .argument('<run>', "id of the run, the end of one, or 'last'")
    .argument('<text>', 'what to say')
  withDatabase(command)
    .option('--follow-up', 'say it when the run would otherwise end')
    .action(async (wanted: string, text: string, { db, followUp = false }: SteerFlags) => {
      if (text.trim() === '') throw new ParleyError({ code: 'config-invalid', path: 'text', detail: 'is empty' })
      await using store = await openExistingStore(db)
      const { runId } = await findRun(store, wanted)
      await using runtime = createRuntime({ store })
      await (followUp ? runtime.followUp(runId, text) : runtime.steer(runId, text))
      terminal.out(`Left for run ${runId}.\n`)
    })
}
