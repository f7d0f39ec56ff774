/** What a chunk adds to the answer. */
export interface ChatDelta {
  readonly role?: 'assistant'
  readonly content?: string
  /** What the model thought; the field servers of open models send it in. */
  readonly reasoning_content?: string
}

export type ChatFinish = 'stop' | 'length' | 'content_filter'

export interface ChatUsage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
  readonly prompt_tokens_details: { readonly cached_tokens: number }
  readonly completion_tokens_details: { readonly reasoning_tokens: number }
}

/** One event of a stream of a chat completion. */
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

/** What a stream that fails ends with. */
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
      readonly content: string
      readonly refusal: null
      readonly reasoning_content?: string
    }
    readonly logprobs: null
    readonly finish_reason: ChatFinish
  }[]
  readonly usage: ChatUsage
}
