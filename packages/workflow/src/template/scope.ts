import type { Json } from '@parley/core'

/** The values a step may use, by key: `topic`, `result`, `steps.draft`. */
export type Scope = ReadonlyMap<string, Json>

export type Evaluate = (scope: Scope) => Json

/** The scope with one value more, or another in its place. */
export function bind(scope: Scope, key: string, value: Json): Scope {
  return new Map(scope).set(key, value)
}
