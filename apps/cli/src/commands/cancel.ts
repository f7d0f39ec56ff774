import type { Command } from 'commander'
import { isWorkerGone, thisWorker } from '../compose/worker.ts'
import { withDatabaseFlag } from '../flags/database-flag.ts'
import { isOnServer, withServerFlag, type ServerFlags } from '../flags/server-flag.ts'
import { RUN_ARGUMENT } from '../flags/run-flags.ts'
import { withExamples } from '../program/with-examples.ts'
import type { Terminal } from '../render/terminal.ts'
import { openExistingStore } from '../store/open-store.ts'
import { findRun } from '../store/read-run.ts'

interface CancelFlags extends ServerFlags {
  readonly db: string
  readonly reason?: string
}

/** Defines the command `parley cancel RUN`. */
export function defineCancelCommand(command: Command, terminal: Terminal): void {
  command
    .description(
      'Cancels an unfinished run and waits until it has stopped, whichever process drives it. Its tools receive an abort ' +
        'signal. A run without a driver, such as one that is suspended for approval, ends at once.',
    )
    .argument('<run>', RUN_ARGUMENT)
  withDatabaseFlag(withServerFlag(command, []))
    .option('--reason <text>', 'reason to record in the journal')
    .action(async (wanted: string, flags: CancelFlags) => {
      const { db, reason: detail } = flags
      if (isOnServer(flags)) {
        const { openServerClient, toResponseId } = await import('../remote/remote-options.ts')
        await openServerClient(flags).cancel(toResponseId(wanted))
        return terminal.out(`The server has accepted the cancellation of ${wanted}.\n`)
      }
      await using store = await openExistingStore(db)
      const { runId } = await findRun(store, wanted)
      const { createRuntime } = await import('@parley/engine')
      await using runtime = createRuntime({ store, worker: thisWorker, isWorkerGone })
      const run = await runtime.cancel(runId, { reason: { kind: 'user', ...(detail === undefined ? {} : { detail }) } })
      const { status } = await run.result
      terminal.out(`Run ${runId}: ${status}.\n`)
    })
  withExamples(command, [['cancel last --reason "wrong file"', 'cancels the newest run']])
}
