import type {
  ContextEdit,
  ErrorInfo,
  ToolCallPart,
  ToolFailure,
  ToolHandoff,
  ToolMessage,
  ToolOutcome,
} from '@parley/core'
import { refuseCall } from './refuse-call.ts'
import type { EntryBody } from '../../run-context/run-journal.ts'

export interface EndedCall {
  readonly call: ToolCallPart
  readonly turn: number
  readonly outcome: Exclude<ToolOutcome, ToolHandoff>
  readonly durationMs: number
  /** What the handler wants of the context; of no effect for a call that failed. */
  readonly edit?: ContextEdit | undefined
}

/** The entry of a call that has its result. */
export function toToolEnded({
  call,
  turn,
  outcome,
  durationMs,
  edit,
}: EndedCall): Extract<EntryBody, { type: 'tool.ended' }> {
  const { callId, name } = call
  // A handler that asks where nobody can be asked has failed.
  const settled =
    outcome.type === 'ask' ? refuseCall({ code: 'tool-denied', tool: name, reason: outcome.prompt }) : outcome
  const message: ToolMessage = { role: 'tool', callId, name, content: [...settled.content] }
  if (settled.type === 'answer') return { type: 'tool.ended', turn, callId, name, message, durationMs }
  if (settled.type === 'ok') {
    if (settled.structured !== undefined) message.structured = settled.structured
    const contextEdit = edit === undefined ? {} : { contextEdit: edit }
    return { type: 'tool.ended', turn, callId, name, message, ...contextEdit, durationMs }
  }
  message.isError = true
  return { type: 'tool.ended', turn, callId, name, message, error: settled.error ?? wordsOf(settled, name), durationMs }
}

function wordsOf({ content, retryable, metadata }: ToolFailure, tool: string): ErrorInfo {
  const detail = content.map(part => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join('\n')
  return { code: 'tool-failed', tool, detail, retryable, ...(metadata === undefined ? {} : { metadata }) }
}
