import type { ErrorInfo, ModelFallback } from '@parley/core'

/** An event of agent mode. An error of the listener has no effect on the run. */
export type PromptyEvent =
  | { readonly type: 'turn_start' }
  | { readonly type: 'status'; readonly data: { readonly message: string } }
  | { readonly type: 'llm_start' | 'llm_complete'; readonly data: { readonly iteration: number } }
  /** A model call is repeated, or another model is called; then `fallback` is set. */
  | {
      readonly type: 'retry'
      readonly data: {
        readonly attempt: number
        readonly delayMs: number
        readonly error: ErrorInfo
        readonly fallback?: ModelFallback | undefined
      }
    }
  | { readonly type: 'token' | 'thinking'; readonly data: { readonly token: string } }
  /** A tool call starts. `arguments` is the JSON text that the model wrote. */
  | {
      readonly type: 'tool_call_start'
      readonly data: { readonly callId: string; readonly name: string; readonly arguments: string }
    }
  | {
      readonly type: 'tool_result' | 'tool_call_complete'
      readonly data: { readonly callId: string; readonly name: string; readonly result: string }
    }
  | { readonly type: 'messages_updated'; readonly data: { readonly count: number } }
  | { readonly type: 'compaction_start'; readonly data: { readonly dropped: number } }
  | { readonly type: 'compaction_complete'; readonly data: { readonly summary: string } }
  | { readonly type: 'compaction_failed' | 'error'; readonly data: { readonly message: string } }
  | { readonly type: 'done'; readonly data: { readonly response: unknown } }
  | { readonly type: 'cancelled'; readonly data: { readonly reason: string } }
  | {
      readonly type: 'turn_end'
      readonly data: { readonly status: 'success' | 'error' | 'cancelled'; readonly iterations: number }
    }

/** Receives the events of a run. */
export type PromptyEventListener = (event: PromptyEvent) => void
