import type { ApprovalDecision, ClientTool, Json, Message, ModelSettings, UserMessage } from '@parley/core'

/** The client's decision about one tool call that is suspended for approval. */
export interface InputDecision {
  readonly approvalId: string
  readonly decision: ApprovalDecision
}

/** The result of a tool call that the client executed. */
export interface InputResult {
  /** Run that made the call, if the protocol tells. */
  readonly runId?: string | undefined
  readonly callId: string
  /** A text, or data. */
  readonly output: Json
  /** Whether the client could not execute the call; `output` tells why. */
  readonly isError: boolean
}

/** A request of any protocol, converted to input for a runtime. */
export interface ProtocolInput {
  /**
   * The last message of the user. Its content is empty if the request ends with another message, such as the result of a tool; a
   * run then adds no message and answers the history.
   */
  readonly input: UserMessage
  /** The messages before `input`. A runtime with a store uses them only in a session without runs. */
  readonly history: readonly Message[]
  /** Model settings that the client asks for. */
  readonly settings: ModelSettings
  /**
   * Decisions about pending approvals, in the order of the request. If the list is not empty, resume the suspended run
   * instead of starting a run.
   */
  readonly decisions: readonly InputDecision[]
  /**
   * Results of tool calls, in the order of the request. If a suspended run waits for one of them, submit it instead of
   * starting a run. Otherwise they are part of `history`.
   */
  readonly results: readonly InputResult[]
  /** Tools that the client executes. */
  readonly clientTools: readonly ClientTool[]
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
