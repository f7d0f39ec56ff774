import type { Store, WorkflowRecord, WorkflowStore } from '@parley/core'
import { refuse } from '../template/site.ts'

/** What workflows are saved in: a store, of which only this is needed. */
export type SavingStore = Pick<Store, 'name' | 'workflows'>

export interface ReadWorkflowsOptions {
  /** The partition of the store they were saved in. @default 'default' */
  readonly scope?: string | undefined
  /** Versions by name, for runs that began with them. @default the newest of each */
  readonly versions?: Readonly<Record<string, number>> | undefined
}

/**
 * The definitions that were saved, one of each name, by name.
 * @throws ParleyError `config-invalid` for a version that was not saved, and for a store that keeps none; `store-…`.
 */
export async function readWorkflows(
  store: SavingStore,
  { scope = 'default', versions = {} }: ReadWorkflowsOptions = {},
): Promise<readonly WorkflowRecord[]> {
  const workflows = savedWorkflows(store)
  const records = await workflows.list({ scope })
  const unknown = Object.keys(versions).find(name => !records.some(record => record.name === name))
  if (unknown !== undefined) refuse(`versions.${unknown}`, `no workflow '${unknown}' was saved in the scope '${scope}'`)
  return Promise.all(
    records.map(async newest => {
      const { name } = newest
      const version = Object.hasOwn(versions, name) ? versions[name] : undefined
      if (version === undefined || version === newest.version) return newest
      const found = await workflows.get({ scope, name, version })
      return found ?? refuse(`versions.${name}`, `there is no version ${version}; the newest is ${newest.version}`)
    }),
  )
}

/** @throws ParleyError `config-invalid` for a store that keeps none. */
export function savedWorkflows({ name, workflows }: SavingStore): WorkflowStore {
  return workflows ?? refuse('store', `the store '${name}' keeps no workflows`)
}
