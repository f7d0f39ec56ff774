import type { Agent } from '@parley/engine'
import type { Model } from '@parley/core'

/** What is different from the recorded runs. */
export interface BacktestChange {
  /** @default the model of each agent */
  readonly model?: Model | undefined
  /** @default the instructions of each agent */
  readonly instructions?: string | undefined
  /** Names of the agents that change. @default the agents that the runs started with */
  readonly agents?: readonly string[] | undefined
}

/** Returns the agent with the change, if the change is for it. */
export function applyChange(agent: Agent, rootAgent: string, { model, instructions, agents }: BacktestChange): Agent {
  if (!(agents ?? [rootAgent]).includes(agent.name)) return agent
  return {
    ...agent,
    ...(model === undefined ? {} : { model }),
    ...(instructions === undefined ? {} : { instructions }),
  }
}
