import type { Agent } from '@parley/engine'
import type { Workflow } from '../definition/workflow.ts'

/** The definition of each workflow, by the model of its agent: a copy of the agent has the same model. */
const definitions = new WeakMap<object, Workflow>()

/** Remembers the definition of a workflow. */
export function keepDefinition(agent: Agent, workflow: Workflow): void {
  if (typeof agent.model === 'object') definitions.set(agent.model, workflow)
}

/** Returns the workflow that an agent runs. `undefined` for an agent that `defineWorkflow` has not made. */
export function workflowOf({ model }: Agent): Workflow | undefined {
  return typeof model === 'object' ? definitions.get(model) : undefined
}
