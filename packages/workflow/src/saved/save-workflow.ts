import type { Json, WorkflowRecord } from '@parley/core'
import { parseWorkflow } from '../parse-workflow.ts'
import type { Workflow } from '../definition/workflow.ts'
import { refuseNonJson } from './refuse-non-json.ts'
import { savedWorkflows, type SavingStore } from './read-workflows.ts'

export interface SaveWorkflowOptions {
  /** The partition of the store it is saved in. @default 'default' */
  readonly scope?: string | undefined
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined
}

/**
 * Saves a workflow under its name, as the next version unless nothing has changed. Its form is checked; what its steps
 * name, `loadWorkflows` looks for.
 * @throws ParleyError `config-invalid` with the path of what is wrong, or of what is no JSON: a function, a date; for a store that keeps
 * none; `store-…`.
 */
export async function saveWorkflow(
  store: SavingStore,
  workflow: Workflow,
  { scope = 'default', now = Date.now }: SaveWorkflowOptions = {},
): Promise<WorkflowRecord> {
  const workflows = savedWorkflows(store)
  const definition = parseWorkflow(workflow)
  const { name } = definition
  refuseNonJson(definition, `workflows.${name}`)
  return workflows.put({ scope, name, at: now(), definition: toJson(definition) })
}

/** Without members that are undefined. */
function toJson(workflow: Workflow): Json {
  return JSON.parse(JSON.stringify(workflow)) as Json
}
