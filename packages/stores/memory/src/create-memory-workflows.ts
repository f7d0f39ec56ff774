import type { WorkflowRecord, WorkflowStore } from '@parley/core'

/** Creates a workflow store that keeps its definitions in the memory of this process. */
export function createMemoryWorkflows(): WorkflowStore {
  const scopes = new Map<string, Map<string, readonly WorkflowRecord[]>>()

  /** Returns the versions of a workflow, oldest first. */
  const versionsOf = (scope: string, name: string): readonly WorkflowRecord[] => scopes.get(scope)?.get(name) ?? []

  return {
    put: async ({ scope, name, at, definition }, { signal } = {}) => {
      signal?.throwIfAborted()
      const before = versionsOf(scope, name)
      const newest = before.at(-1)
      const text = JSON.stringify(definition)
      if (newest !== undefined && JSON.stringify(newest.definition) === text) return newest
      // A copy, because the caller may change its object later, and a version never changes.
      const record = { name, version: before.length + 1, definition: JSON.parse(text), savedAt: at } as WorkflowRecord
      const names = scopes.get(scope) ?? new Map<string, readonly WorkflowRecord[]>()
      scopes.set(scope, names.set(name, [...before, record]))
      return record
    },
    get: async ({ scope, name, version }, { signal } = {}) => {
      signal?.throwIfAborted()
      const versions = versionsOf(scope, name)
      return version === undefined ? versions.at(-1) : versions[version - 1]
    },
    list: async ({ scope }, { signal } = {}) => {
      signal?.throwIfAborted()
      return [...(scopes.get(scope)?.values() ?? [])]
        .flatMap(versions => versions.at(-1) ?? [])
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    },
    versions: async ({ scope, name }, { signal } = {}) => {
      signal?.throwIfAborted()
      return versionsOf(scope, name).toReversed()
    },
    remove: async ({ scope, name }, { signal } = {}) => {
      signal?.throwIfAborted()
      return scopes.get(scope)?.delete(name) ?? false
    },
  }
}
