import { resolve } from 'node:path'
import { ParleyError, type EntryOf } from '@parley/core'
import type { Agent } from '@parley/engine'
import { loadAgents } from '@parley/evals/crash-test'
import { openComposition } from '../../compose/open-composition.ts'
import { createResourceStack } from '../../compose/resource-stack.ts'
import { fromMetadata } from '../../flags/agent-flags.ts'

/** The flags that say where the agents of the runs are. */
export interface AgentSource {
  readonly agents?: string | undefined
  readonly config?: string | undefined
  readonly model?: string | undefined
  readonly baseUrl?: string | undefined
}

/** The agents of recorded runs. */
export interface FoundAgents extends AsyncDisposable {
  /** Returns the agents for a run, by its first entry. */
  of(started: EntryOf<'run.started'>): Promise<readonly Agent[]>
  /** @throws ParleyError `agent-unknown` if the agents are known before the runs, and this one is missing. */
  check(agent: string): void
}

/**
 * Finds agents: those of a module or of a configuration file, or those that the command line composed when a run was started.
 * @throws ParleyError as `openComposition` and `loadAgents`.
 */
export async function findAgents({ agents: module, config, model, baseUrl }: AgentSource): Promise<FoundAgents> {
  const resources = createResourceStack()
  const composed = new Map<string, Promise<readonly Agent[]>>()
  const compose = async (flags: Parameters<typeof openComposition>[0]): Promise<readonly Agent[]> =>
    resources.use(await openComposition(flags, ':memory:')).agents
  const given =
    module !== undefined
      ? await loadAgents(resolve(module))
      : config === undefined
        ? undefined
        : await compose({ root: '.', config, model, baseUrl })

  return {
    async of({ metadata }) {
      if (given !== undefined) return given
      const key = JSON.stringify(metadata ?? {})
      const known = composed.get(key) ?? compose(fromMetadata(metadata, {}))
      composed.set(key, known)
      return known
    },
    check(agent) {
      const known = given?.map(({ name }) => name)
      if (known !== undefined && !known.includes(agent)) throw new ParleyError({ code: 'agent-unknown', agent, known })
    },
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  }
}
