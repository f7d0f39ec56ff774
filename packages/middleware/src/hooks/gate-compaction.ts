import type { CompactionRequest, ContextPolicy } from '@parley/core'

/** Whether the policy may compact now. `tokens()` of the view says how much there is. */
export type CompactionGate = (request: CompactionRequest) => boolean | Promise<boolean>

/** The same policy, which compacts only where `gate` says so. A call the provider refused as too long fails where it says no. */
export function gateCompaction(policy: ContextPolicy, gate: CompactionGate): ContextPolicy {
  return {
    name: policy.name,
    due: view => policy.due(view),
    compact: async request => ((await gate(request)) ? policy.compact(request) : undefined),
  }
}
