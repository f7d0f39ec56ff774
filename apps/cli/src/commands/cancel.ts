import { createRuntime } from '@parley/engine'
import type { Command } from 'commander'
import { withDatabase } from '../flags/agent-flags.ts'
import { findRun } from '../store/find-run.ts'
import { openExistingStore } from '../store/open-existing-store.ts'
import type { Terminal } from '../render/terminal.ts'
import { isWorkerGone, thisWorker } from '../compose/worker.ts'

interface CancelFlags {
  readonly db: string
  readonly reason?: string
}

/** `parley cancel RUN` */
export function addCancelCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('cancel')
    .summary('stop a run, whichever process drives it')
    .description(
      'Stops an unfinished run and waits until it has stopped. Its tools are told to stop; what waits for a person or was ' +
        'left behind is ended here.',
    )
    .argument('<run>', "id of the run, the end of one, or 'last'")
  withDatabase(command)
    .option('--reason <text>', 'why, for whoever reads the journal')
    .action(async (wanted: string, { db, reason: detail }: CancelFlags) => {
      await using store = await openExistingStore(db)
      const { runId } = await findRun(store, wanted)
      await using runtime = createRuntime({ store, worker: thisWorker, isWorkerGone })
      const run = await runtime.cancel(runId, { reason: { kind: 'user', ...(detail === undefined ? {} : { detail }) } })
      const { status } = await run.result
      terminal.out(`Run ${runId}: ${status}.\n`)
    })
}
