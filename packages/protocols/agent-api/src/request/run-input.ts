import type { ApprovalDecision, Message, ModelSettings, UserMessage } from '@parley/core'

/** A decision of the client about a call that waits for approval. */
export interface InputDecision {
  readonly approvalId: string
  readonly decision: ApprovalDecision
}

/** What a request asks of a runtime. */
export interface RunInput {
  /** The last messages of the user; without content when the request ends with something else. */
  readonly input: UserMessage
  /** What precedes it. */
  readonly history: readonly Message[]
  /** Approvals the client decides with this request, in its order. A run is to go on, instead of a new one beginning. */
  readonly decisions: readonly InputDecision[]
  /** What the client wishes of the model. */
  readonly settings: ModelSettings
  /** Absent when the client named none. */
  readonly sessionId?: string | undefined
  readonly userId?: string | undefined
  readonly model?: string | undefined
  readonly responseId?: string | undefined
  /** Whether the client wants events; else one whole response. */
  readonly stream: boolean
}
