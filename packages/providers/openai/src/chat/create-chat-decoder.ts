import type { Json, Message, ModelEvent } from '@parley/core'
import type { AnswerContext, AnswerDecoder, AnswerProgress } from '@parley/provider-kit'
import { fromChatFinish } from './chat-finish.ts'
import { chargedBy, fromChatUsage } from '../wire/chat-usage.ts'
import { createTextWriter } from '../wire/create-text-writer.ts'
import { createThinkSplitter, type ThinkSplitter, type ThinkSplitterOptions } from './create-think-splitter.ts'
import { createToolCallAssembler } from './create-tool-call-assembler.ts'
import { fromChatChunk, type ChatDelta } from './from-chat-chunk.ts'
import { mergeExtraContent } from './merge-extra-content.ts'
import { mergeReasoningDetails } from './merge-reasoning-details.ts'

export interface ChatDecoderOptions {
  readonly context: AnswerContext
  readonly provider: string
  readonly thinkTags: 'keep' | 'split' | 'implied'
  /** The conversation that the answer continues. The ids of its tool calls are not used again. */
  readonly messages: readonly Message[]
  readonly createCallId: () => string
}

/** Creates a decoder that turns the answer of chat completions, streamed or whole, into model events. */
export function createChatDecoder({
  context,
  provider,
  thinkTags,
  messages,
  createCallId,
}: ChatDecoderOptions): AnswerDecoder {
  const { emit } = context
  let used: ReadonlySet<string> | undefined
  const isUsed = (callId: string): boolean => (used ??= callIdsOf(messages)).has(callId)
  const calls = createToolCallAssembler({ provider, emit, isUsed, createCallId })
  let details: unknown[] = []
  let extra: Json | undefined
  let reason = ''
  let refused = false
  let over = false

  function endReasoning(): void {
    if (details.length === 0) return
    const data = { reasoning_details: mergeReasoningDetails(details) }
    details = []
    emit({ type: 'reasoning.end', providerData: { provider, data } })
  }

  const onReasoning = (text: string): void => emit({ type: 'reasoning.delta', text })
  const words = createTextWriter({ provider, emit })
  const onText = (text: string): void => {
    endReasoning()
    words.text(text)
  }
  const text = openText(thinkTags, { onText, onReasoning })

  function accept(delta: ChatDelta): void {
    if (delta.reasoning !== '') onReasoning(delta.reasoning)
    if (delta.reasoningDetails.length > 0) details.push(...delta.reasoningDetails)
    extra = mergeExtraContent(extra, delta.extra)
    if (delta.text !== '') text.feed(delta.text)
    if (delta.refusal !== '') {
      refused = true
      endReasoning()
      words.refusal(delta.refusal)
    }
    for (const fragment of delta.calls) calls.accept(fragment)
    if (delta.finish !== '') reason = delta.finish
    if (delta.usage !== undefined) {
      const usage = fromChatUsage(delta.usage)
      if (usage !== undefined) emit({ type: 'usage', usage, ...chargedBy(delta.usage) })
    }
    if (delta.error !== undefined) throw context.reported({ error: delta.error })
  }

  const progress = (): AnswerProgress => (reason === '' ? 'open' : 'settled')

  return {
    event(data, name) {
      if (data === '[DONE]') {
        over = true
        return 'complete'
      }
      const chunk = context.parse(data)
      if (name === 'error') throw context.reported(chunk)
      accept(fromChatChunk(chunk))
      return progress()
    },
    document(body) {
      accept(fromChatChunk(body))
      if (!hasChoice(body)) throw context.broken('The server sent a document without an answer.')
      over = true
    },
    end() {
      if (!over && reason === '') throw context.broken('The stream ended before the answer did.')
      text.end()
      words.end()
      endReasoning()
      if (extra !== undefined) emit(opaqueOf(provider, extra))
      const hasCalls = calls.finish({ cut: reason === 'length' }) > 0
      emit({ type: 'finish', reason: fromChatFinish({ reason, hasCalls, refused }) })
    },
  }
}

/** Creates the part that keeps the extra content of a message. */
function opaqueOf(provider: string, extra: Json): ModelEvent {
  return { type: 'opaque', providerData: { provider, data: { extra_content: extra } } }
}

function openText(
  thinkTags: ChatDecoderOptions['thinkTags'],
  { onText, onReasoning }: Pick<ThinkSplitterOptions, 'onText' | 'onReasoning'>,
): ThinkSplitter {
  if (thinkTags === 'keep') return { feed: onText, end: () => undefined }
  return createThinkSplitter({ onText, onReasoning, implied: thinkTags === 'implied' })
}

function callIdsOf(messages: readonly Message[]): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    for (const part of message.content) if (part.type === 'tool-call') ids.add(part.callId)
  }
  return ids
}

function hasChoice(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || !('choices' in body)) return false
  return Array.isArray(body.choices) && body.choices.length > 0
}
