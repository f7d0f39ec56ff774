import { checkOptions, type Json, type OptionKinds, type WorkflowRecord } from '@parley/core'
import { parseWorkflow } from '../parse-workflow.ts'
import type { Workflow } from '../definition/workflow.ts'
import { refuseNonJson } from './refuse-non-json.ts'
import { savedWorkflows, type SavingStore } from './read-workflows.ts'

/** Options of `saveWorkflow`. */
export interface SaveWorkflowOptions {
  /** Scope in which the workflow is saved. @default 'default' */
  readonly scope?: string | undefined
  /** Returns the time in milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined
}

const OPTIONS: OptionKinds<SaveWorkflowOptions> = {
  scope: 'string',
  now: 'function',
}

/**
 * Saves a workflow under its name. A changed workflow gets the next version number. It checks the form only; `loadWorkflows` checks
 * the names.
 * @throws ParleyError `config-invalid` with the path of an invalid value or of a value that is not JSON, and if the store cannot save
 * workflows; `store-…`.
 */
export async function saveWorkflow(
  store: SavingStore,
  workflow: Workflow,
  options: SaveWorkflowOptions = {},
): Promise<WorkflowRecord> {
  checkOptions('saveWorkflow', options, OPTIONS)
  const { scope = 'default', now = Date.now } = options
  const workflows = savedWorkflows(store)
  const definition = parseWorkflow(workflow)
  const { name } = definition
  refuseNonJson(definition, `workflows.${name}`)
  return workflows.put({ scope, name, at: now(), definition: toJson(definition) })
}

/** Removes keys with the value `undefined`. */
function toJson(workflow: Workflow): Json {
  return JSON.parse(JSON.stringify(workflow)) as Json
}
