import type { ContextEdit, Json } from '@parley/core'
import type { ChildOrder } from '../../run-context/child-order.ts'
import type { Delegation } from '../delegation/delegation.ts'

/** What is noted about a call below the middleware. */
export interface CallTrail {
  /** Time in the handler; 0 when it never ran. */
  durationMs: number
  /** What the validator was given, and a person would have to approve. */
  input: Json | undefined
  /** Whether the arguments had to be repaired. */
  repaired: boolean
  /** Its sub-agents, once the handler has asked for one. */
  delegation: Delegation | undefined
  /** What the handler wants taken out of what the model is sent. */
  edit: ContextEdit | undefined
  /** Takes the sub-agents that the host is to have run. Undefined where they go on within the call. */
  readonly left: ChildOrder[] | undefined
  /** Whether the handler has settled: what it left behind may begin nothing any more. */
  over: boolean
}
