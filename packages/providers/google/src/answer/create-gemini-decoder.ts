import type { Json, ModelEvent, ProviderData } from '@parley/core'
import { fieldsOf, listOf, textOf, type AnswerContext, type AnswerDecoder, type Fields } from '@parley/provider-kit'
import { createCallReader } from './create-call-reader.ts'
import { fromGeminiFinish } from './gemini-finish.ts'
import { fromGeminiUsage } from './gemini-usage.ts'

export interface GeminiDecoderOptions {
  readonly context: AnswerContext
  readonly provider: string
  /** Id of the model. It is stored with each signature, because models of another generation reject the signature. */
  readonly model: string
  readonly createCallId: () => string
}

/** Creates a decoder that turns the answer of generateContent, streamed or whole, into model events. */
export function createGeminiDecoder({ context, provider, model, createCallId }: GeminiDecoderOptions): AnswerDecoder {
  const { emit } = context
  let reason = ''
  let blocked = false
  let open: 'text' | 'reasoning' | undefined

  function signed(part: Fields, more: Record<string, Json> = {}): { providerData?: ProviderData } {
    const thoughtSignature = textOf(part['thoughtSignature'])
    const data = thoughtSignature === '' ? more : { ...more, thoughtSignature, model }
    return Object.keys(data).length === 0 ? {} : { providerData: { provider, data } }
  }

  const calls = createCallReader({ emit, createCallId, signed })

  function acceptText(part: Fields, kind: 'text' | 'reasoning'): void {
    const text = textOf(part['text'])
    const { providerData } = signed(part)
    // A signed part must stay separate: joined with its neighbors, its signature would be invalid.
    if (providerData !== undefined && open === kind) emit({ type: `${kind}.end` })
    if (text !== '') {
      emit({ type: `${kind}.delta`, text })
      open = kind
    }
    if (providerData === undefined) return
    emit({ type: `${kind}.end`, providerData })
    open = undefined
  }

  function acceptPart(part: Fields): void {
    if (typeof part['text'] === 'string') {
      acceptText(part, part['thought'] === true ? 'reasoning' : 'text')
      return
    }
    open = undefined
    const call = fieldsOf(part['functionCall'])
    if (call !== undefined) return calls.accept(call, part)
    // An image inside a thought does not belong to the answer.
    const file = part['thought'] === true ? undefined : fileOf(part, signed(part))
    emit(file ?? { type: 'opaque', providerData: { provider, data: { part: part as Json } } })
  }

  function accept(chunk: Fields): void {
    const error = chunk['error'] ?? undefined
    if (error !== undefined) throw context.reported({ error })
    const candidate = fieldsOf(listOf(chunk['candidates'])[0])
    for (const part of listOf(fieldsOf(candidate?.['content'])?.['parts'])) acceptPart(fieldsOf(part) ?? {})
    reason = textOf(candidate?.['finishReason']) || reason
    blocked ||= textOf(fieldsOf(chunk['promptFeedback'])?.['blockReason']) !== ''
    const usage = fromGeminiUsage(chunk['usageMetadata'])
    if (usage !== undefined) emit({ type: 'usage', usage })
  }

  return {
    event(data) {
      // Gemini never sends `[DONE]`, but some proxies do.
      if (data === '[DONE]') return 'complete'
      accept(fieldsOf(context.parse(data)) ?? {})
      return reason === '' && !blocked ? 'open' : 'settled'
    },
    document(body) {
      // A server that ignores `alt=sse` sends a list of chunks.
      for (const chunk of Array.isArray(body) ? listOf(body) : [body]) accept(fieldsOf(chunk) ?? {})
    },
    end() {
      if (reason === '' && !blocked) throw context.broken('The stream ended before the answer did.')
      const hasCalls = calls.end() > 0
      emit({ type: 'finish', reason: reason === '' ? 'content-filter' : fromGeminiFinish(reason, hasCalls) })
    },
  }
}

function fileOf(part: Fields, data: { providerData?: ProviderData }): ModelEvent | undefined {
  const { mimeType: inlineType, data: bytes } = fieldsOf(part['inlineData']) ?? {}
  const { mimeType, fileUri } = fieldsOf(part['fileData']) ?? {}
  if (typeof bytes === 'string')
    return {
      type: 'file',
      part: { type: 'file', mediaType: textOf(inlineType), source: { type: 'base64', data: bytes }, ...data },
    }
  if (typeof fileUri !== 'string') return undefined
  return {
    type: 'file',
    part: { type: 'file', mediaType: textOf(mimeType), source: { type: 'url', url: fileUri }, ...data },
  }
}
