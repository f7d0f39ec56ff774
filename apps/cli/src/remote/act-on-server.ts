import type { RunRecord } from '@parley/core'
import { presentRun } from '../ask/present-run.ts'
import { modeOf, type OutputFlags } from '../flags/run-flags.ts'
import type { NamedServer } from '../flags/server-flag.ts'
import type { ShownRun } from '../render/show-run.ts'
import type { Terminal } from '../render/terminal.ts'
import { findRun } from '../store/read-run.ts'
import { openRunsClient } from './remote-options.ts'
import { createServerReader } from './server-reader.ts'
import { createServerRuntime, type ServerRuntime } from './server-runtime.ts'

export interface ServerCommand {
  /** What the user calls the run: an id, a start or an end of one, or `last`. */
  readonly wanted: string
  /** `command` is how the user calls the CLI. */
  readonly flags: NamedServer & OutputFlags & { readonly command: string }
  readonly terminal: Terminal
}

/**
 * Finds a run of a server, lets `act` start or continue a run there, and prints that run as a run of this process.
 * @returns The exit code.
 */
export async function actOnServer(
  { wanted, flags, terminal }: ServerCommand,
  act: (runtime: ServerRuntime, record: RunRecord) => Promise<ShownRun>,
): Promise<number> {
  const { command, server } = flags
  const client = openRunsClient(flags)
  const runtime = createServerRuntime(client)
  const run = await act(runtime, await findRun(createServerReader(client), wanted))
  return presentRun(run, terminal, { runtime, mode: modeOf(flags), place: ` --server ${server}`, command })
}
