import type { EntryOf } from '@parley/core'
import type { Run } from '@parley/engine'
import type { Composition } from '../compose/open-composition.ts'
import { fromMetadata, type AgentFlags } from '../flags/agent-flags.ts'
import type { RenderOptions } from '../render/render-run.ts'
import { presentRun, type PresentOptions } from '../ask/present-run.ts'
import { onDatabase } from '../store/database.ts'
import type { Terminal } from '../render/terminal.ts'

export interface RecordedAgentOptions extends Omit<RenderOptions, 'place'>, Pick<PresentOptions, 'role' | 'always'> {
  readonly database: string
  /** The first entry of the earlier run. Its metadata describes the agent. */
  readonly started: EntryOf<'run.started'>
  /** Flags that replace those of the earlier run. @default none */
  readonly changes?: Partial<AgentFlags> | undefined
}

/**
 * Composes the agent of an earlier run, lets `act` start or resume a run with it, and prints that run.
 * @returns The exit code.
 */
export async function runRecordedAgent(
  { started, changes = {}, database, ...output }: RecordedAgentOptions,
  terminal: Terminal,
  act: (composition: Composition) => Promise<Run>,
): Promise<number> {
  const { openComposition } = await import('../compose/open-composition.ts')
  await using composition = await openComposition(fromMetadata(started.metadata, changes), database)
  return await presentRun(await act(composition), terminal, {
    ...output,
    place: onDatabase(database),
    runtime: composition.runtime,
  })
}
