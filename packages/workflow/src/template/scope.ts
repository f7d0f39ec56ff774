import type { Json } from '@parley/core'

/** The values that a step can use, by key: `topic`, `result`, `steps.draft`. */
export type Scope = ReadonlyMap<string, Json>

/** Computes a value from a scope. */
export type Evaluate = (scope: Scope) => Json

/** Adds or replaces a value of a scope. */
export function bind(scope: Scope, key: string, value: Json): Scope {
  return new Map(scope).set(key, value)
}
