import type { CompactionRequest, ContextPolicy } from '@parley/core'

/** Returns whether the policy may compact now. `tokens()` of the request's view returns the current size. */
export type CompactionGate = (request: CompactionRequest) => boolean | Promise<boolean>

/**
 * Wraps a context policy so that it compacts only if `gate` returns `true`. If the provider rejected a request as too long and
 * the gate returns `false`, the model call fails.
 */
export function gateCompaction(policy: ContextPolicy, gate: CompactionGate): ContextPolicy {
  return {
    name: policy.name,
    due: view => policy.due(view),
    compact: async request => ((await gate(request)) ? policy.compact(request) : undefined),
  }
}
