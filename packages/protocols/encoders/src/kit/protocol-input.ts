import type { ApprovalDecision, Message, ModelSettings, UserMessage } from '@parley/core'

/** The client's decision about one tool call that is suspended for approval. */
export interface InputDecision {
  readonly approvalId: string
  readonly decision: ApprovalDecision
}

/** A request as input for a runtime, whatever the protocol. */
export interface ProtocolInput {
  /** The last message of the user. Its content is empty if the request ends with another message. */
  readonly input: UserMessage
  /** The messages before `input`. */
  readonly history: readonly Message[]
  /** Model settings that the client asks for. */
  readonly settings: ModelSettings
  /** Decisions about pending approvals, in the order of the request. If there are any, resume that run instead of starting one. */
  readonly decisions: readonly InputDecision[]
  /** Absent if the client named none. */
  readonly model?: string | undefined
  /** Absent if the client named none. */
  readonly sessionId?: string | undefined
  /** Whether the client wants a stream of events. Otherwise it wants one whole response. */
  readonly stream: boolean
}

/** Splits messages into the last user message and those before it. */
export function splitInput(messages: readonly Message[]): Pick<ProtocolInput, 'input' | 'history'> {
  const last = messages.at(-1)
  if (last?.role === 'user') return { input: last, history: messages.slice(0, -1) }
  return { input: { role: 'user', content: [] }, history: messages }
}
