import { checkOptions, type OptionKinds } from '@parley/core'
import type { Agent } from '@parley/engine'
import { defineWorkflow, type WorkflowOptions } from '../define-workflow.ts'
import { parseWorkflow } from '../parse-workflow.ts'
import type { WorkflowResult } from '../definition/workflow.ts'
import { refuse } from '../template/site.ts'
import { readWorkflows, type ReadWorkflowsOptions, type SavingStore } from './read-workflows.ts'

/** Options of `loadWorkflows`. */
export interface LoadWorkflowsOptions extends WorkflowOptions, ReadWorkflowsOptions {
  /** Names of the workflows to make agents of. Their steps may name all saved workflows. @default all */
  readonly names?: readonly string[] | undefined
}

const OPTIONS: OptionKinds<LoadWorkflowsOptions> = {
  names: 'strings',
  clock: 'clock',
  agents: 'list',
  tools: 'list',
  workflows: 'list',
  middleware: 'list',
  onApproval: 'function',
  permissions: 'list',
  scope: 'string',
  versions: 'object',
}

/**
 * Makes agents of saved workflows, for the start of a runtime. Their steps may name other saved workflows, and the entries of
 * `agents`, `tools` and `workflows`.
 * @throws ParleyError `config-invalid` as `defineWorkflow` does, if a name or version was not saved, and if the store cannot save
 * workflows; `store-…`.
 */
export async function loadWorkflows(
  store: SavingStore,
  loadOptions: LoadWorkflowsOptions = {},
): Promise<readonly Agent<WorkflowResult>[]> {
  checkOptions('loadWorkflows', loadOptions, OPTIONS)
  const { scope = 'default', names, versions, ...options } = loadOptions
  const records = await readWorkflows(store, { scope, versions })
  const saved = records.map(({ definition }) => parseWorkflow(definition))
  const missing = names?.find(name => !saved.some(workflow => workflow.name === name))
  if (missing !== undefined) refuse('names', `the workflow '${missing}' was not saved in the scope '${scope}'`)
  const workflows = [...(options.workflows ?? []), ...saved]
  return saved
    .filter(({ name }) => names?.includes(name) ?? true)
    .map(workflow => defineWorkflow(workflow, { ...options, workflows }))
}
