import type { Json } from '@parley/core'

/** The values that a step can use, by key: `topic`, `result`, `steps.draft`. */
export interface Scope {
  get(key: string): Json | undefined
}

/** Computes a value from a scope. */
export type Evaluate = (scope: Scope) => Json

/** Adds or replaces a value of a scope. */
export function bind(scope: Scope, key: string, value: Json): Scope {
  return layer(scope, new Map([[key, value]]))
}

/** Puts values over a scope, without a copy of either. */
export function layer(scope: Scope, values: ReadonlyMap<string, Json>): Scope {
  return {
    get: key => {
      const value = values.get(key)
      return value === undefined ? scope.get(key) : value
    },
  }
}
