import type { Agent } from './agent.ts'
import type { Policy } from '../journal/decide.ts'
import { prepareInstructions, type PreparedInstructions } from '../prompt/instructions.ts'
import { createToolShelf, type ToolShelf } from '../tools/tool-set.ts'

/** An agent with everything worked out that every run of it shares. */
export interface PreparedAgent {
  readonly agent: Agent
  /** `provider/id`. */
  readonly modelName: string
  readonly instructions: PreparedInstructions
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
    instructions: prepareInstructions(instructions, `agents.${agent.name}.instructions`),
    policy: { limits, onLimit },
    shelf: createToolShelf(tools, `agents.${agent.name}.tools`),
    batchSize: batchSize(toolExecution),
  }
}

function batchSize(execution: NonNullable<Agent['toolExecution']>): number {
  if (typeof execution === 'object') return execution.batch
  return execution === 'sequential' ? 1 : Infinity
}
