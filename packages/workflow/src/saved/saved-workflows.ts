import type { Store, WorkflowStore } from '@parley/core'
import { refuse } from '../template/site.ts'

/** What workflows are saved in: a store, of which only this is needed. */
export type SavingStore = Pick<Store, 'name' | 'workflows'>

/** @throws ParleyError `config-invalid` for a store that keeps none. */
export function savedWorkflows({ name, workflows }: SavingStore): WorkflowStore {
  return workflows ?? refuse('store', `the store '${name}' keeps no workflows`)
}
