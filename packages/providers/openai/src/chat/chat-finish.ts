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
  /** As the server wrote it; `''` when it wrote none. */
  readonly reason: string
  readonly hasCalls: boolean
  readonly refused: boolean
}

/**
 * Why the model stopped. What it sent counts more than the word: servers say `stop` for a forced tool call, and
 * `tool_calls` where there are none.
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
