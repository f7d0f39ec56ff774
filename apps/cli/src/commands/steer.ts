import { ParleyError } from '@parley/core'
import type { Command } from 'commander'
import { withDatabaseFlag } from '../flags/database-flag.ts'
import { RUN_ARGUMENT } from '../flags/run-flags.ts'
import { isOnServer, withServerFlag } from '../flags/server-flag.ts'
import { withExamples } from '../program/with-examples.ts'
import { openRuns, type PlaceFlags } from '../remote/open-runs.ts'
import type { Terminal } from '../render/terminal.ts'
import { openExistingStore } from '../store/open-store.ts'
import { findRun } from '../store/read-run.ts'

interface SteerFlags extends PlaceFlags {
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
  withDatabaseFlag(withServerFlag(command, ['followUp']))
    .option('--follow-up', 'deliver the message only when the run would otherwise end')
    .action(async (wanted: string, text: string, flags: SteerFlags) => {
      if (text.trim() === '')
        throw new ParleyError({ code: 'config-invalid', path: 'text', detail: 'must not be empty' })
      terminal.out(`Sent to run ${await send(wanted, text, flags)}.\n`)
    })
  withExamples(command, [
    ['steer last "Use metric units."', 'sends a message to a running run'],
    ['steer last "Now in French." --follow-up', 'sends it for when the run would end'],
  ])
}

/** @returns The id of the run. */
async function send(wanted: string, text: string, flags: SteerFlags): Promise<string> {
  const { followUp = false } = flags
  if (isOnServer(flags)) {
    const { openRunsClient } = await import('../remote/remote-options.ts')
    await using reader = await openRuns(flags)
    const { runId } = await findRun(reader, wanted)
    const client = openRunsClient(flags)
    await (followUp ? client.followUp(runId, { message: text }) : client.steer(runId, { message: text }))
    return runId
  }
  await using store = await openExistingStore(flags.db)
  const { runId } = await findRun(store, wanted)
  const { createRuntime } = await import('@parley/engine')
  await using runtime = createRuntime({ store })
  await (followUp ? runtime.followUp(runId, text) : runtime.steer(runId, text))
  return runId
}
