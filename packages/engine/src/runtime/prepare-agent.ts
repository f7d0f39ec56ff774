import type { SystemPart } from '@parley/core'
import { handoffTools } from '../agents/handoff-tools.ts'
import type { Agent } from './agent.ts'
import type { Policy } from '../journal/decide.ts'
import { createToolShelf, type ToolShelf } from '../tools/tool-set.ts'

/** An agent with everything worked out that every run of it shares. */
export interface PreparedAgent {
  readonly agent: Agent
  /** `provider/id`. */
  readonly modelName: string
  readonly system: readonly SystemPart[]
  readonly policy: Policy
  readonly shelf: ToolShelf
  /** Most calls at once within one answer. */
  readonly batchSize: number
}

/** @throws ParleyError `config-invalid`, `tool-schema-invalid`. */
export function prepareAgent(agent: Agent): PreparedAgent {
  const { instructions = [], model, tools = [], limits = {}, onLimit = 'stop', toolExecution = 'parallel' } = agent
  return {
    agent,
    modelName: `${model.provider}/${model.id}`,
    system: typeof instructions === 'string' ? [{ text: instructions }] : instructions,
    policy: { limits, onLimit },
    shelf: createToolShelf([...tools, ...handoffTools(agent)], `agents.${agent.name}.tools`),
    batchSize: batchSize(toolExecution),
  }
}

function batchSize(execution: NonNullable<Agent['toolExecution']>): number {
  if (typeof execution === 'object') return execution.batch
  return execution === 'sequential' ? 1 : Infinity
}
