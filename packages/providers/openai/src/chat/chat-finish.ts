import type { FinishReason } from '@parley/core'

const REASONS: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  eos: 'stop',
  end: 'stop',
  end_turn: 'stop',
  tool_calls: 'tool-calls',
  tool_call: 'tool-calls',
  function_call: 'tool-calls',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  model_context_window_exceeded: 'length',
  content_filter: 'content-filter',
  sensitive: 'content-filter',
  error: 'error',
}

export interface ChatFinish {
  /** The reason as the server sent it; `''` if it sent none. */
  readonly reason: string
  /** Whether the answer contains tool calls. */
  readonly hasCalls: boolean
  /** Whether the answer contains a refusal. */
  readonly refused: boolean
}

/**
 * Converts a finish reason. The content of the answer takes precedence: some servers send `stop` for a forced tool call, and
 * some send `tool_calls` without calls.
 */
export function fromChatFinish({ reason, hasCalls, refused }: ChatFinish): FinishReason {
  const known = REASONS[reason] ?? 'other'
  if (known === 'stop' || known === 'tool-calls' || known === 'other') {
    if (hasCalls) return 'tool-calls'
    if (refused) return 'refusal'
    return known === 'tool-calls' ? 'stop' : known
  }
  return known
}
