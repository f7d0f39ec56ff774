import type { ApprovalDecision, Message, ModelSettings, UserMessage } from '@parley/core'

/** The client's decision about one tool call that is suspended for approval. */
export interface InputDecision {
  readonly approvalId: string
  readonly decision: ApprovalDecision
}

/** A request of any protocol, converted to input for a runtime. */
export interface ProtocolInput {
  /** The last message of the user. Its content is empty if the request ends with another message. */
  readonly input: UserMessage
  /** The messages before `input`. */
  readonly history: readonly Message[]
  /** Model settings that the client asks for. */
  readonly settings: ModelSettings
  /**
   * Decisions about pending approvals, in the order of the request. If the list is not empty, resume the suspended run
   * instead of starting a run.
   */
  readonly decisions: readonly InputDecision[]
  /** Name of the model. Absent if the client did not name one. */ readonly model?: string | undefined
  /** Id of the session. Absent if the client did not name one. */ readonly sessionId?: string | undefined
  /** Whether the client wants a stream of events. Otherwise it wants one whole response. */
  readonly stream: boolean
}

/** Splits messages into the last user message and those before it. */
export function splitInput(messages: readonly Message[]): Pick<ProtocolInput, 'input' | 'history'> {
  const last = messages.at(-1)
  if (last?.role === 'user') return { input: last, history: messages.slice(0, -1) }
  return { input: { role: 'user', content: [] }, history: messages }
}
