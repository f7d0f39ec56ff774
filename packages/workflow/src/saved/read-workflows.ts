import { checkOptions, type OptionKinds, type Store, type WorkflowRecord, type WorkflowStore } from '@parley/core'
import { refuse } from '../template/site.ts'

/** The part of a store that saves workflows. */
export type SavingStore = Pick<Store, 'name' | 'workflows'>

/** Options of `readWorkflows`. */
export interface ReadWorkflowsOptions {
  /** Scope in which the workflows were saved. @default 'default' */
  readonly scope?: string | undefined
  /** Versions by name, for runs that started with them. @default the newest version of each */
  readonly versions?: Readonly<Record<string, number>> | undefined
}

const OPTIONS: OptionKinds<ReadWorkflowsOptions> = {
  scope: 'string',
  versions: 'object',
}

/**
 * Reads the saved definitions, one for each name, sorted by name.
 * @throws ParleyError `config-invalid` if a version was not saved, and if the store cannot save workflows; `store-…`.
 */
export async function readWorkflows(
  store: SavingStore,
  options: ReadWorkflowsOptions = {},
): Promise<readonly WorkflowRecord[]> {
  checkOptions('readWorkflows', options, OPTIONS)
  const { scope = 'default', versions = {} } = options
  const workflows = savedWorkflows(store)
  const records = await workflows.list({ scope })
  const unknown = Object.keys(versions).find(name => !records.some(record => record.name === name))
  if (unknown !== undefined)
    refuse(`versions.${unknown}`, `the workflow '${unknown}' was not saved in the scope '${scope}'`)
  return Promise.all(
    records.map(async newest => {
      const { name } = newest
      const version = Object.hasOwn(versions, name) ? versions[name] : undefined
      if (version === undefined || version === newest.version) return newest
      const found = await workflows.get({ scope, name, version })
      return found ?? refuse(`versions.${name}`, `version ${version} was not saved; the newest is ${newest.version}`)
    }),
  )
}

/** Returns the part of a store that saves workflows. @throws ParleyError `config-invalid` if the store cannot save workflows. */
export function savedWorkflows({ name, workflows }: SavingStore): WorkflowStore {
  return workflows ?? refuse('store', `the store '${name}' cannot save workflows`)
}
