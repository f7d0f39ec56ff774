import type { SystemPart } from '@parley/core'
import { prepareContext, type AgentContext } from '../context/agent-context.ts'
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
  /** Undefined when everything is always sent. */
  readonly context: AgentContext | undefined
}

/** @throws ParleyError `config-invalid`, `tool-schema-invalid`. */
export function prepareAgent(agent: Agent): PreparedAgent {
  const { instructions = [], model, tools = [], limits = {}, onLimit = 'stop', toolExecution = 'parallel' } = agent
  const context = prepareContext(agent)
  return {
    agent,
    context,
    modelName: `${model.provider}/${model.id}`,
    system: typeof instructions === 'string' ? [{ text: instructions }] : instructions,
    policy: { limits, onLimit, compacts: context !== undefined },
    shelf: createToolShelf(tools, `agents.${agent.name}.tools`),
    batchSize: batchSize(toolExecution),
  }
}

function batchSize(execution: NonNullable<Agent['toolExecution']>): number {
  if (typeof execution === 'object') return execution.batch
  return execution === 'sequential' ? 1 : Infinity
}
