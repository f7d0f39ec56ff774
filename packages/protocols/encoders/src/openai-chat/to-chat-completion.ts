import type { ChatChunk, ChatCompletion, ChatFailure, ChatToolCall } from './chat-chunk.ts'

/**
 * Joins the chunks of a stream into one completion. One of the chunks must contain the usage. Returns the failure of a
 * stream that failed.
 */
export function toChatCompletion(chunks: readonly (ChatChunk | ChatFailure)[]): ChatCompletion | ChatFailure {
  let content = ''
  let reasoning = ''
  const calls: ChatToolCall[] = []
  let last: ChatChunk | undefined
  let finish: ChatCompletion['choices'][0]['finish_reason'] = 'stop'
  for (const chunk of chunks) {
    if ('error' in chunk) return chunk
    last = chunk
    const [choice] = chunk.choices
    content += choice?.delta.content ?? ''
    reasoning += choice?.delta.reasoning_content ?? ''
    for (const { index: _index, ...call } of choice?.delta.tool_calls ?? []) calls.push(call)
    finish = choice?.finish_reason ?? finish
  }
  const { id = '', created = 0, model = '', usage } = last ?? {}
  const message = {
    role: 'assistant' as const,
    content: content === '' && calls.length > 0 ? null : content,
    refusal: null,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [
      {
        index: 0,
        message,
        logprobs: null,
        finish_reason: finish,
      },
    ],
    usage: usage ?? NO_USAGE,
  }
}

const NO_USAGE = {
  prompt_tokens: 0,
  completion_tokens: 0,
  total_tokens: 0,
  prompt_tokens_details: { cached_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0 },
}
