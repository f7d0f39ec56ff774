import type { Json, Principal, UserMessage } from '@parley/core'
import type { ParentRef } from './parent-ref.ts'

/** Describes a child run that another process starts: the arguments of `Runtime.run`, as plain data. */
export interface ChildOrder {
  readonly runId: string
  /** Name of an agent that the runtime knows. */
  readonly agent: string
  readonly input: string | UserMessage
  readonly sessionId: string
  readonly scope: string
  readonly parent: ParentRef
  readonly principal?: Principal | undefined
  readonly variables?: Readonly<Record<string, Json>> | undefined
  readonly workspace?: string | undefined
}
