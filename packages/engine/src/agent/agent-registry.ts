import { ParleyError } from '@parley/core'
import type { Agent } from './agent.ts'
import { defineAgent } from './define-agent.ts'
import { prepareAgent, type PreparedAgent } from './prepare-agent.ts'
import { QuotaHolder } from './quota/quota-holder.ts'
import { resolveAgent, type AgentSurroundings } from './resolve-agent.ts'

/** The agents that a runtime knows by name, each prepared once. */
export interface AgentRegistry {
  /**
   * Returns the agent with this name, or prepares the given definition.
   * @param model Name of a model that it asks instead of its own. Its runs count for the same quotas.
   * @throws ParleyError `agent-unknown` for a name, `model-unknown`. For a definition, what `defineAgent` and `prepareAgent` throw.
   */
  get(agent: string | Agent, model?: string): PreparedAgent
  /** `runtime.agents`, through which a program reads and changes the agents. */
  readonly directory: AgentDirectory
  /**
   * Prepares the agents that refer to tools by name again, after a tool was replaced. If one of them cannot be
   * prepared, all agents stay unchanged.
   */
  prepareAgain(): void
}

/** The agents of a runtime. A change affects runs that start after it. Journals refer to agents by name. */
export interface AgentDirectory {
  /**
   * Adds an agent.
   * @throws ParleyError `config-invalid` if the name is taken, `model-unknown`, `tool-unknown`, and what `defineAgent`
   * throws.
   */
  register(agent: Agent): void
  /** Replaces the agent of the same name. The totals of its quota stay. @throws What `register` throws, and `agent-unknown`. */
  replace(agent: Agent): void
  /** Removes an agent. Runs that have started with it continue. @throws ParleyError `agent-unknown`. */
  unregister(name: string): void
  /** Returns the agent with this name. @throws ParleyError `agent-unknown`. */
  get(name: string): Agent
  list(): readonly Agent[]
}

interface KnownAgent {
  readonly agent: Agent
  readonly prepared: PreparedAgent
}

export interface AgentRegistryOptions extends AgentSurroundings {
  /** The runtime's own quota. */
  readonly quota: QuotaHolder | undefined
  /** Name of the runtime's store, if it cannot keep the totals of quotas. */
  readonly uncounted?: string | undefined
}

/** Creates a registry with these agents. @throws What `register` throws. */
export function createAgentRegistry(agents: readonly Agent[], options: AgentRegistryOptions): AgentRegistry {
  const byName = new Map<string, KnownAgent>()
  let byIdentity = new WeakMap<Agent, PreparedAgent>()

  /**
   * Prepares an agent, and its handoff agents too, so that an invalid one fails here and not in the middle of a run.
   * @param quotas The existing quotas of an agent that is prepared again, because its runs have places in them.
   */
  function prepare(agent: Agent, quotas: readonly QuotaHolder[] = quotasOf(agent, options.quota)): PreparedAgent {
    const resolved = resolveAgent(defineAgent(agent), options)
    for (const holder of quotas) holder.checkCountable(resolved.model, options.uncounted)
    const prepared = prepareAgent(resolved, quotas)
    byIdentity.set(agent, prepared)
    for (const handoff of agent.handoffs ?? []) {
      if (typeof handoff !== 'string' && !byIdentity.has(handoff)) prepare(handoff)
    }
    return prepared
  }

  const withModel = createVariants(prepare)

  function known(name: string): KnownAgent {
    const found = byName.get(name)
    if (found === undefined) throw new ParleyError({ code: 'agent-unknown', agent: name, known: [...byName.keys()] })
    return found
  }

  function register(agent: Agent): void {
    if (byName.has(agent.name)) {
      throw new ParleyError({
        code: 'config-invalid',
        path: 'agents',
        detail: `two agents are named '${agent.name}'; give each agent a name of its own`,
      })
    }
    byName.set(agent.name, { agent, prepared: byIdentity.get(agent) ?? prepare(agent) })
  }

  for (const agent of agents) register(agent)
  return {
    get(agent, model) {
      const own = typeof agent === 'string' ? known(agent).prepared : (byIdentity.get(agent) ?? prepare(agent))
      return model === undefined ? own : withModel(own, model)
    },
    directory: {
      register,
      replace(agent) {
        const before = known(agent.name)
        byName.set(agent.name, { agent, prepared: prepare(agent) })
        before.prepared.toolbox.close()
      },
      unregister(name) {
        known(name).prepared.toolbox.close()
        byName.delete(name)
      },
      get: name => known(name).agent,
      list: () => [...byName.values()].map(({ agent }) => agent),
    },
    prepareAgain() {
      const before = byIdentity
      byIdentity = new WeakMap()
      const all = [...byName.values()]
      for (const { agent, prepared } of all) if (!namesTool(agent)) byIdentity.set(agent, prepared)
      try {
        const again = all.filter(({ agent }) => namesTool(agent))
        const fresh = again.map(({ agent, prepared }) => ({ agent, prepared: prepare(agent, prepared.quotas) }))
        for (const { prepared } of again) prepared.toolbox.close()
        for (const entry of fresh) byName.set(entry.agent.name, entry)
      } catch (error) {
        byIdentity = before
        throw error
      }
    },
  }
}

/** Returns a function that prepares an agent for another model, once. Its runs count for the same quotas. */
function createVariants(prepare: (agent: Agent, quotas: readonly QuotaHolder[]) => PreparedAgent) {
  const known = new WeakMap<PreparedAgent, Map<string, PreparedAgent>>()
  return (own: PreparedAgent, model: string): PreparedAgent => {
    const made = known.get(own) ?? new Map<string, PreparedAgent>()
    known.set(own, made)
    const found = made.get(model) ?? prepare({ ...own.definition, model }, own.quotas)
    made.set(model, found)
    return found
  }
}

function namesTool(agent: Agent): boolean {
  return agent.tools?.some(tool => typeof tool === 'string') ?? false
}

/** Returns the quotas that the runs of an agent count for. The agent's own quota comes first. */
function quotasOf({ name, quota }: Agent, runtime: QuotaHolder | undefined): readonly QuotaHolder[] {
  const own = quota === undefined ? [] : [new QuotaHolder(quota, `agents.${name}`)]
  return runtime === undefined ? own : [...own, runtime]
}
