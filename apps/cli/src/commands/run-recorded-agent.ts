import { ParleyError, type EntryOf } from '@parley/core'
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
  readonly changes?: Partial<Omit<AgentFlags, 'agents'>> | undefined
  /** Module that exports the agents. @default the metadata of the earlier run describes the agent */
  readonly agents?: string | undefined
}

/**
 * Composes the agent of an earlier run, lets `act` start or resume a run with it, and prints that run.
 * @returns The exit code.
 */
export async function runRecordedAgent(
  { started, changes = {}, agents: module, database, ...output }: RecordedAgentOptions,
  terminal: Terminal,
  act: (composition: Composition) => Promise<Run>,
): Promise<number> {
  const { openComposition } = await import('../compose/open-composition.ts')
  await using composition = await openComposition(fromMetadata(started.metadata, { ...changes, module }), database)
  const run = await act(composition).catch((error: unknown) => {
    if (module !== undefined || !ParleyError.is(error, 'agent-unknown') || error.info.agent !== started.agent)
      throw error
    const { agent } = error.info
    const detail = `is not an agent of this command; name the module that exports it: --agents FILE`
    throw new ParleyError({ code: 'config-invalid', path: `agent '${agent}'`, detail }, { cause: error })
  })
  return await presentRun(run, terminal, {
    ...output,
    place: onDatabase(database),
    runtime: composition.runtime,
  })
}
