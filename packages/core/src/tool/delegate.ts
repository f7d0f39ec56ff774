import type { Limits } from '../run/limits.ts'
import type { Json } from '../schema/json.ts'
import type { UserMessage } from '../schema/message.ts'
import type { Outcome } from '../schema/outcome.ts'
import type { Cost, Usage } from '../schema/usage.ts'

/** An agent as an object: what the engine's `defineAgent` gives back. */
export interface AgentLike {
  readonly name: string
}

/** What a handler asks another agent to do. */
export interface DelegateRequest {
  /** One the runtime knows by name, or an agent given whole. */
  readonly agent: string | AgentLike
  readonly input: string | UserMessage
  /** Its own limits narrow the agent's; both are narrowed by what is left of the caller's. @default the agent's */
  readonly limits?: Limits | undefined
  /** Values for the templates among its instructions. @default none */
  readonly variables?: Readonly<Record<string, Json>> | undefined
  /** The directory its tools work in, as `RunOptions.workspace`. @default the caller's */
  readonly workspace?: string | undefined
  /** Goes on from the session's last run. @default a new session */
  readonly sessionId?: string | undefined
  /**
   * Which delegate of the call this is: asked for again, also after a crash, it is the same run. Name them where their
   * order may differ from one attempt of the handler to the next. @default its number within the call
   */
  readonly key?: string | undefined
  /** Aborting it cancels this delegate alone. The call's own signal reaches it anyway. */
  readonly signal?: AbortSignal | undefined
}

/** How a delegate's run ended. Only `completed` is a success. */
export type DelegateResult = Outcome & {
  readonly runId: string
  /** Text of its last answer; empty when there was none. */
  readonly text: string
  /** Its structured output, as the model gave it; undefined for an agent without, and for a run that did not complete. */
  readonly output: Json | undefined
  /** Its own and that of its delegates; already counted on the caller's run. */
  readonly usage: Usage
  readonly cost: Cost | undefined
  /** Its model calls. */
  readonly turns: number
}

/**
 * Runs another agent within a tool call, as a run of its own whose events the caller's watchers see. A run that ends
 * badly is a result, not a throw.
 * @throws ParleyError `agent-unknown`, `config-invalid`; `run-suspended` when it waits for a person: the handler should
 * let that pass, and is called again from the start once there is a decision. Throws the signal's reason when the call is
 * being stopped.
 */
export type Delegate = (request: DelegateRequest) => Promise<DelegateResult>
