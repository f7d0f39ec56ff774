import type { Command } from 'commander'
import { isWorkerGone, thisWorker } from '../compose/worker.ts'
import { withDatabaseFlag } from '../flags/database-flag.ts'
import { isOnServer, withServerFlag, type NamedServer, type ServerFlags } from '../flags/server-flag.ts'
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
  withDatabaseFlag(withServerFlag(command, ['reason']))
    .option('--reason <text>', 'reason to record in the journal')
    .action(async (wanted: string, flags: CancelFlags) => {
      if (isOnServer(flags)) return terminal.out(await cancelOnServer(wanted, flags))
      const { db, reason: detail } = flags
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

/** @returns The line to print. */
async function cancelOnServer(wanted: string, flags: CancelFlags & NamedServer): Promise<string> {
  const { isResponseId, openRunsClient, openServerClient } = await import('../remote/remote-options.ts')
  if (isResponseId(wanted)) {
    await openServerClient(flags).cancel(wanted)
    return `The server has accepted the cancellation of ${wanted}.\n`
  }
  const [{ createServerReader }, { followServerRun }] = await Promise.all([
    import('../remote/server-reader.ts'),
    import('../remote/server-run.ts'),
  ])
  const client = openRunsClient(flags)
  const { runId, seq } = await findRun(createServerReader(client), wanted)
  await client.cancel(runId, { reason: flags.reason })
  const run = followServerRun(client, runId, seq)
  // The process that drives the run may still stop its tools.
  for await (const event of run) if (event.type === 'run.ended') break
  return `Run ${runId}: ${(await run.result).status}.\n`
}
