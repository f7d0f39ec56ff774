import { totalTokens, type Usage } from '@parley/core'
import type { OutputItem } from './output-item.ts'

/** A response as the client receives it. */
export interface ResponseObject {
  readonly id: string
  readonly object: 'response'
  readonly created_at: number
  readonly completed_at: number | null
  readonly status: 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled'
  readonly error: { readonly code: string; readonly message: string } | null
  readonly incomplete_details: { readonly reason: string } | null
  readonly model: string
  readonly output: readonly OutputItem[]
  readonly previous_response_id: string | null
  readonly usage: ReturnType<typeof toResponseUsage> | null
  readonly [field: string]: unknown
}

/** One event of the stream of a response. Other fields depend on the type. */
export interface ResponsesEvent {
  readonly type: string
  readonly sequence_number: number
  /**
   * The response at this event. Present in `response.created`, `response.in_progress` and the event that ends the
   * response.
   */
  readonly response?: ResponseObject
  readonly [field: string]: unknown
}

/** Defaults of fields that every client expects. */
export const RESPONSE_DEFAULTS = {
  background: false,
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  parallel_tool_calls: true,
  reasoning: { effort: null, summary: null },
  store: true,
  temperature: null,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_p: null,
  truncation: 'disabled',
} as const

export function toResponseUsage(usage: Usage) {
  return {
    input_tokens: usage.input + usage.cacheRead + usage.cacheWrite,
    input_tokens_details: { cached_tokens: usage.cacheRead },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: totalTokens(usage),
  }
}
