import type { Store } from '@parley/core'
import { readWorkflows, type Workflow } from '@parley/workflow'

/**
 * Finds the versions of the saved workflows that a definition uses, directly or through another workflow. The run keeps
 * them.
 */
export async function workflowVersions(store: Store, definition: Workflow): Promise<Readonly<Record<string, number>>> {
  const saved = new Map((await readWorkflows(store)).map(record => [record.name, record]))
  const used = new Map<string, number>()
  const visit = (value: unknown): void => {
    for (const name of namesIn(value)) {
      const record = saved.get(name)
      if (record === undefined || used.has(name)) continue
      used.set(name, record.version)
      visit(record.definition)
    }
  }
  visit(definition)
  return Object.fromEntries(used)
}

function namesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'type' in value && value.type === 'workflow' && 'workflow' in value ? [String(value.workflow)] : []
  return [...own, ...Object.values(value).flatMap(namesIn)]
}
