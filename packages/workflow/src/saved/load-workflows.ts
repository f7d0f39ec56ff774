import type { Agent } from '@parley/engine'
import { defineWorkflow, type WorkflowOptions } from '../define-workflow.ts'
import { parseWorkflow } from '../parse-workflow.ts'
import type { WorkflowResult } from '../definition/workflow.ts'
import { refuse } from '../template/site.ts'
import { readWorkflows, type ReadWorkflowsOptions, type SavingStore } from './read-workflows.ts'

export interface LoadWorkflowsOptions extends WorkflowOptions, ReadWorkflowsOptions {
  /** Only agents for these; their steps may name all that are saved. @default all */
  readonly names?: readonly string[] | undefined
}

/**
 * Agents of the workflows that were saved, to give to a runtime at its start. Steps may name each other's workflows, and what
 * `agents`, `tools` and `workflows` give.
 * @throws ParleyError `config-invalid` as `defineWorkflow` does, for a name or version that was not saved, and for a store that keeps
 * none; `store-…`.
 */
export async function loadWorkflows(
  store: SavingStore,
  { scope = 'default', names, versions, ...options }: LoadWorkflowsOptions = {},
): Promise<readonly Agent<WorkflowResult>[]> {
  const records = await readWorkflows(store, { scope, versions })
  const saved = records.map(({ definition }) => parseWorkflow(definition))
  const missing = names?.find(name => !saved.some(workflow => workflow.name === name))
  if (missing !== undefined) refuse('names', `no workflow '${missing}' was saved in the scope '${scope}'`)
  const workflows = [...(options.workflows ?? []), ...saved]
  return saved
    .filter(({ name }) => names?.includes(name) ?? true)
    .map(workflow => defineWorkflow(workflow, { ...options, workflows }))
}
