import type { WorkflowRecord, WorkflowStore } from '@parley/core'

/** Definitions of workflows that live in this process. */
export function createMemoryWorkflows(): WorkflowStore {
  const scopes = new Map<string, Map<string, readonly WorkflowRecord[]>>()

  /** Oldest first. */
  const versionsOf = (scope: string, name: string): readonly WorkflowRecord[] => scopes.get(scope)?.get(name) ?? []

  return {
    put: async ({ scope, name, at, definition }) => {
      const before = versionsOf(scope, name)
      const newest = before.at(-1)
      const text = JSON.stringify(definition)
      if (newest !== undefined && JSON.stringify(newest.definition) === text) return newest
      // What is changed by its owner afterwards is another definition.
      const record = { name, version: before.length + 1, definition: JSON.parse(text), savedAt: at } as WorkflowRecord
      const names = scopes.get(scope) ?? new Map<string, readonly WorkflowRecord[]>()
      scopes.set(scope, names.set(name, [...before, record]))
      return record
    },
    get: async ({ scope, name, version }) =>
      version === undefined ? versionsOf(scope, name).at(-1) : versionsOf(scope, name)[version - 1],
    list: async ({ scope }) =>
      [...(scopes.get(scope)?.values() ?? [])]
        .flatMap(versions => versions.at(-1) ?? [])
        .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    versions: async ({ scope, name }) => versionsOf(scope, name).toReversed(),
    remove: async ({ scope, name }) => scopes.get(scope)?.delete(name) ?? false,
  }
}
