import type { ApprovalDecision, Message, ModelSettings, UserMessage } from '@parley/core'

/** What a request asks of a runtime, whatever protocol it came in. */
export interface ProtocolInput {
  /** The last message of the user; without content when there is none. */
  readonly input: UserMessage
  /** What precedes it. */
  readonly history: readonly Message[]
  readonly settings: ModelSettings
  /** Approvals the client decides: a run is to go on, instead of a new one beginning. */
  readonly decisions: readonly { readonly approvalId: string; readonly decision: ApprovalDecision }[]
  readonly model?: string | undefined
  readonly sessionId?: string | undefined
  readonly stream: boolean
}

/** The messages of a request, parted at the last one if that is the user's. */
export function splitInput(messages: readonly Message[]): Pick<ProtocolInput, 'input' | 'history'> {
  const last = messages.at(-1)
  if (last?.role === 'user') return { input: last, history: messages.slice(0, -1) }
  return { input: { role: 'user', content: [] }, history: messages }
}
