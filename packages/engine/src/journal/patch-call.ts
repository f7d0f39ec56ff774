import type { CallState } from './run-state.ts'

/** Returns the calls, with one of them as `change` returns it. */
export function patchCall(
  calls: readonly CallState[] | undefined,
  callId: string,
  change: (state: CallState) => CallState,
): readonly CallState[] | undefined {
  return calls?.map(state => (state.call.callId === callId ? change(state) : state))
}
