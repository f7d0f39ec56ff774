import { describeError, type ErrorInfo, type Message, type ToolMessage } from '@parley/core'
import type { CallState, RunState } from './run-state.ts'

/**
 * The transcript of a run up to any entry, valid as the start of another run. Calls that are still open get a result that
 * says so.
 */
export function settleTranscript({ transcript, calls }: RunState): readonly Message[] {
  const messages = transcript.toArray()
  return calls === undefined ? messages : [...messages, ...calls.map(settled)]
}

function settled({ call, attempts, result }: CallState): ToolMessage {
  if (result !== undefined) return result
  const { callId, name } = call
  const error: ErrorInfo =
    attempts > 0 ? { code: 'tool-interrupted', tool: name } : { code: 'tool-cancelled', tool: name, started: false }
  return { role: 'tool', callId, name, content: [{ type: 'text', text: describeError(error) }], isError: true }
}
