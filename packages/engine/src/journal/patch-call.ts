import type { CallState } from './run-state.ts'

/** Returns the calls with changes to one of them. */
export function patchCall(
  calls: readonly CallState[] | undefined,
  callId: string,
  patch: Partial<CallState>,
): readonly CallState[] | undefined {
  return calls?.map(state => (state.call.callId === callId ? { ...state, ...patch } : state))
}
