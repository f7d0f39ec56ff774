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
  /** As the server wrote it; `''` when it wrote none. */
  readonly reason: string
  readonly hasCalls: boolean
}

/** Why the model stopped. Servers that imitate the API say `end_turn` where there are calls to run. */
export function fromStopReason({ reason, hasCalls }: StopFacts): FinishReason {
  const known = REASONS[reason] ?? 'other'
  if (known === 'tool-calls' && !hasCalls) return 'stop'
  return hasCalls && (known === 'stop' || known === 'other') ? 'tool-calls' : known
}
