/** The part of the answer that a chunk adds. */
export interface ChatDelta {
  readonly role?: 'assistant'
  readonly content?: string
  /** Reasoning of the model. Servers of open models use this field. */
  readonly reasoning_content?: string
  /** Calls that the client executes. */
  readonly tool_calls?: readonly (ChatToolCall & { readonly index: number })[]
}

/** A call that the client executes. */
export interface ChatToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

/** Why a completion ended. */
export type ChatFinish = 'stop' | 'length' | 'content_filter' | 'tool_calls'

/** Token counts of a completion. `prompt_tokens` includes cached tokens. */
export interface ChatUsage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
  readonly prompt_tokens_details: { readonly cached_tokens: number }
  readonly completion_tokens_details: { readonly reasoning_tokens: number }
}

/** One event of a chat completion stream. */
export interface ChatChunk {
  readonly id: string
  readonly object: 'chat.completion.chunk'
  readonly created: number
  readonly model: string
  readonly choices: readonly {
    readonly index: 0
    readonly delta: ChatDelta
    readonly logprobs: null
    readonly finish_reason: ChatFinish | null
  }[]
  readonly usage?: ChatUsage | null
}

/** The last event of a stream that fails. */
export interface ChatFailure {
  readonly error: { readonly message: string; readonly type: string; readonly code: string; readonly param: null }
}

/** A whole chat completion. */
export interface ChatCompletion {
  readonly id: string
  readonly object: 'chat.completion'
  readonly created: number
  readonly model: string
  readonly choices: readonly {
    readonly index: 0
    readonly message: {
      readonly role: 'assistant'
      /** Text of the answer. `null` if the answer has only tool calls. */
      readonly content: string | null
      readonly refusal: null
      readonly reasoning_content?: string
      readonly tool_calls?: readonly ChatToolCall[]
    }
    readonly logprobs: null
    readonly finish_reason: ChatFinish
  }[]
  readonly usage: ChatUsage
}
