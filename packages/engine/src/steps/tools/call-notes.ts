import type { ContextEdit, Json } from '@parley/core'
import type { CallDelegation } from '../../run-context/children/delegations.ts'

/** Facts about one attempt of a call, written by the code that the innermost middleware calls. */
export interface CallNotes {
  /** Milliseconds in the handler; 0 if it did not run. */
  durationMs: number
  /** The input that was validated, and that an approver sees. */
  input: Json | undefined
  /** Whether the arguments were repaired. */
  repaired: boolean
  /** Child runs of the call, once the handler has asked for one. */
  delegation: CallDelegation | undefined
  /** The steps that the handler asked to remove from the context. */
  edit: ContextEdit | undefined
  /** Whether the host starts the child runs of the call, which stays pending until they end. */
  readonly mayLeave: boolean
  /** Whether the handler has settled. From then on, work that it left running cannot start child runs. */
  over: boolean
}
