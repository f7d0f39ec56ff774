export { createNetworkGuard, type NetworkGuardOptions } from './create-network-guard.ts'
export { guardedRequest, type GuardedRequestOptions, type GuardedResponse } from './guarded-request.ts'
export { isPublicAddress } from './is-public-address.ts'
export type { HostAddress, HostLookup, NetworkGuard, ResolveHostOptions } from './network-guard.ts'
