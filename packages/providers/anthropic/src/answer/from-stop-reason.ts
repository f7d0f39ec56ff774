import type { FinishReason } from '@parley/core'

const REASONS: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool-calls',
  pause_turn: 'pause',
  compaction: 'pause',
  refusal: 'refusal',
}

export interface StopFacts {
  /** The reason as the server sent it; `''` if it sent none. */
  readonly reason: string
  /** Whether the answer contains tool calls. */
  readonly hasCalls: boolean
}

/** Converts a stop reason. Servers that imitate the API may send `end_turn` for an answer with tool calls. */
export function fromStopReason({ reason, hasCalls }: StopFacts): FinishReason {
  const known = REASONS[reason] ?? 'other'
  if (known === 'tool-calls' && !hasCalls) return 'stop'
  return hasCalls && (known === 'stop' || known === 'other') ? 'tool-calls' : known
}
