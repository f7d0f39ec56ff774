import type { FinishReason } from '@parley/core'
import {
  countOf,
  fieldsOf,
  listOf,
  textOf,
  type AnswerContext,
  type AnswerDecoder,
  type Fields,
} from '@parley/provider-kit'

export interface ChatDecoderOptions {
  readonly context: AnswerContext
  readonly provider: string
  readonly createCallId: () => string
  /**
   * Context window in tokens. A prompt that fills it was truncated, so its answer fails. `undefined` if truncation is
   * allowed or the window is unknown.
   */
  readonly fitsIn: number | undefined
}

/** Creates a decoder that turns the lines of a chat answer, or its one document, into model events. */
export function createChatDecoder({ context, provider, createCallId, fitsIn }: ChatDecoderOptions): AnswerDecoder {
  const { emit } = context
  const taken = new Set<string>()
  let finish: FinishReason | undefined

  function acceptCall(call: Fields): void {
    const { name, arguments: args } = fieldsOf(call['function']) ?? {}
    const id = textOf(call['id'])
    const callId = id === '' || taken.has(id) ? createCallId() : id
    taken.add(callId)
    // Ollama sends an object. Servers that imitate it may send text.
    const text = typeof args === 'string' ? args : JSON.stringify(args ?? {})
    emit({ type: 'tool-call.start', callId, name: textOf(name) })
    emit({ type: 'tool-call.delta', callId, delta: text })
    emit({
      type: 'tool-call',
      callId,
      name: textOf(name),
      arguments: text,
      ...(id === '' ? {} : { providerData: { provider, data: { id } } }),
    })
  }

  function accept(line: Fields): void {
    const error = line['error'] ?? undefined
    if (error !== undefined) throw context.reported({ error })
    const { content, thinking, tool_calls: calls } = fieldsOf(line['message']) ?? {}
    if (textOf(thinking) !== '') emit({ type: 'reasoning.delta', text: textOf(thinking) })
    if (textOf(content) !== '') emit({ type: 'text.delta', text: textOf(content) })
    for (const call of listOf(calls)) acceptCall(fieldsOf(call) ?? {})
    if (line['done'] !== true) return
    // Ollama leaves out unknown counts. It may send 0 for a fully cached prompt.
    const input = countOf(line['prompt_eval_count'])
    const output = countOf(line['eval_count'])
    if (input !== undefined || output !== undefined)
      emit({
        type: 'usage',
        usage: { input: input ?? 0, output: output ?? 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 },
      })
    // Older servers ignore `truncate: false` and truncate the conversation to the window without notice.
    if (fitsIn !== undefined && input !== undefined && input >= fitsIn)
      throw context.reported({
        error: `prompt too long; exceeded max context length of ${fitsIn} tokens and was truncated`,
      })
    finish = fromDoneReason(line['done_reason'], taken.size > 0)
  }

  return {
    event(data) {
      accept(fieldsOf(context.parse(data)) ?? {})
      return finish === undefined ? 'open' : 'complete'
    },
    document: body => accept(fieldsOf(body) ?? {}),
    end() {
      if (finish === undefined) throw context.broken('The stream ended before the answer did.')
      emit({ type: 'finish', reason: finish })
    },
  }
}

/**
 * Converts Ollama's reason for the end of an answer. Older servers do not send a reason. `load` and `unload` are the
 * reasons for an empty conversation.
 */
function fromDoneReason(reason: unknown, hasCalls: boolean): FinishReason {
  if (reason === 'length') return 'length'
  if (hasCalls) return 'tool-calls'
  return reason === 'stop' || reason === undefined ? 'stop' : 'other'
}
