import type { FinishReason } from '@parley/core'
import { type AnswerContext, type AnswerDecoder, type Fields, fieldsOf, listOf, textOf } from '@parley/provider-kit'
import { chargedBy, fromChatUsage } from '../wire/chat-usage.ts'
import { createTextWriter } from '../wire/create-text-writer.ts'
import {
  endOutputItem,
  startOutputCall,
  type OutputFacts,
  type OutputItem,
  type OutputScope,
} from './end-output-item.ts'

export interface ResponsesDecoderOptions {
  readonly context: AnswerContext
  readonly provider: string
  readonly createCallId: () => string
}

/**
 * Creates a decoder that turns the answer of the Responses API, streamed or whole, into model events. It identifies items by
 * their position only, because some servers send different ids for the same item in each event.
 */
export function createResponsesDecoder({ context, provider, createCallId }: ResponsesDecoderOptions): AnswerDecoder {
  const { emit } = context
  const facts: OutputFacts = { asksClient: false, refused: false }
  const words = createTextWriter({ provider, emit })
  const scope: OutputScope = { provider, emit, words, createCallId, facts }
  const items = new Map<unknown, OutputItem>()
  let hasItems = false
  let finish: FinishReason | undefined

  function itemAt(index: unknown): OutputItem {
    const known = items.get(index)
    if (known !== undefined) return known
    const item = { callId: undefined, shown: undefined, part: 0 }
    items.set(index, item)
    return item
  }

  function endItem(index: unknown, fields: Fields): void {
    hasItems = true
    endOutputItem(itemAt(index), fields, scope)
  }

  function endResponse(response: Fields): void {
    // Some servers send the items only in this last event.
    if (!hasItems) listOf(response['output']).forEach((item, index) => endItem(index, fieldsOf(item) ?? {}))
    words.end()
    const usage = fromResponsesUsage(response['usage'])
    if (usage !== undefined) emit({ type: 'usage', usage, ...chargedBy(response['usage']) })
    const error = response['error'] ?? undefined
    if (response['status'] === 'failed' || error !== undefined) throw context.reported({ error })
    finish = finishOf(response, facts)
  }

  function accept(event: Fields): void {
    const { type, output_index: index } = event
    if (type === 'response.output_text.delta') {
      itemAt(index).shown = 'text'
      words.text(textOf(event['delta']))
    } else if (type === 'response.refusal.delta') {
      itemAt(index).shown = 'text'
      facts.refused = true
      words.refusal(textOf(event['delta']))
    } else if (type === 'response.reasoning_summary_text.delta' || type === 'response.reasoning_text.delta') {
      const text = reasoningOf(event, itemAt(index))
      if (text !== '') emit({ type: 'reasoning.delta', text })
    } else if (type === 'response.function_call_arguments.delta') {
      const { callId } = itemAt(index)
      if (callId !== undefined) emit({ type: 'tool-call.delta', callId, delta: textOf(event['delta']) })
    } else if (type === 'response.output_item.added') {
      const fields = fieldsOf(event['item']) ?? {}
      if (fields['type'] === 'function_call') startOutputCall(itemAt(index), fields, scope)
    } else if (type === 'response.output_item.done') endItem(index, fieldsOf(event['item']) ?? {})
    else if (type === 'response.completed' || type === 'response.incomplete' || type === 'response.failed')
      endResponse(fieldsOf(event['response']) ?? {})
    else if (type === 'error') throw context.reported(event)
  }

  return {
    event(data, name) {
      if (data === '[DONE]') return 'complete'
      const event = fieldsOf(context.parse(data)) ?? {}
      // llama.cpp sends a failure in a field named `error`.
      if (name === 'error' && event['type'] === undefined) throw context.reported(event)
      accept(event)
      return finish === undefined ? 'open' : 'complete'
    },
    document(body) {
      const fields = fieldsOf(body) ?? {}
      if (!Array.isArray(fields['output'])) {
        const hasError = fieldsOf(fields['error']) !== undefined || textOf(fields['error']) !== ''
        throw hasError ? context.reported(body) : context.broken('The server sent a document without an answer.')
      }
      endResponse(fields)
    },
    end() {
      if (finish === undefined) throw context.broken('The stream ended before the answer did.')
      emit({ type: 'finish', reason: finish })
    },
  }
}

/** Returns the text of a reasoning delta, with a blank line before each new part; `''` if it repeats text under another event type. */
function reasoningOf(event: Fields, item: OutputItem): string {
  item.shown ??= textOf(event['type'])
  if (item.shown !== event['type']) return ''
  const part = Number(event['summary_index'] ?? event['content_index'] ?? 0)
  const gap = part > item.part ? '\n\n' : ''
  item.part = part
  return gap + textOf(event['delta'])
}

function finishOf({ status, incomplete_details: incomplete }: Fields, facts: OutputFacts): FinishReason {
  const reason = fieldsOf(incomplete)?.['reason']
  if (reason === 'max_output_tokens') return 'length'
  if (reason === 'content_filter') return 'content-filter'
  if (status !== 'completed' && status !== 'complete') return 'other'
  if (facts.asksClient) return 'tool-calls'
  return facts.refused ? 'refusal' : 'stop'
}

function fromResponsesUsage(usage: unknown): ReturnType<typeof fromChatUsage> {
  const { input_tokens, output_tokens, input_tokens_details, output_tokens_details } = fieldsOf(usage) ?? {}
  return fromChatUsage({
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    prompt_tokens_details: input_tokens_details,
    completion_tokens_details: output_tokens_details,
  })
}
