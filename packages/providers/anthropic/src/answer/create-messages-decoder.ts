import { fieldsOf, listOf, textOf, type AnswerContext, type AnswerDecoder, type Fields } from '@parley/provider-kit'
import { createBlockReader } from './create-block-reader.ts'
import { fromMessagesUsage } from './from-messages-usage.ts'
import { fromStopReason } from './from-stop-reason.ts'

export interface MessagesDecoderOptions {
  readonly context: AnswerContext
  readonly provider: string
  readonly createCallId: () => string
}

/** Creates a decoder that turns an answer of the Messages API, streamed or whole, into model events. */
export function createMessagesDecoder({ context, provider, createCallId }: MessagesDecoderOptions): AnswerDecoder {
  const { emit } = context
  const blocks = createBlockReader({ provider, emit, createCallId })
  let messageId: unknown
  let reason = ''
  let usage: Fields = {}
  let over = false

  function acceptUsage(next: unknown): void {
    const given = Object.entries(fieldsOf(next) ?? {}).filter(([, value]) => value !== null && value !== undefined)
    if (given.length === 0) return
    usage = { ...usage, ...Object.fromEntries(given) }
    const counts = fromMessagesUsage(usage)
    if (counts !== undefined) emit({ type: 'usage', usage: counts })
  }

  function startMessage(message: Fields): void {
    // A gateway that loses its server restarts the answer in the same stream. Emitted events cannot be withdrawn.
    if (messageId !== undefined && message['id'] !== messageId && blocks.hasBegun())
      throw context.broken('A second message began before the first one ended.')
    messageId = message['id']
    acceptUsage(message['usage'])
  }

  function accept(event: Fields): void {
    switch (event['type']) {
      case 'message_start':
        return startMessage(fieldsOf(event['message']) ?? {})
      case 'content_block_start':
        return blocks.start(event['index'], fieldsOf(event['content_block']) ?? {})
      case 'content_block_delta':
        return blocks.delta(event['index'], fieldsOf(event['delta']) ?? {})
      case 'content_block_stop':
        return blocks.stop(event['index'])
      case 'message_delta':
        reason = textOf(fieldsOf(event['delta'])?.['stop_reason']) || reason
        return acceptUsage(event['usage'])
      case 'message_stop':
        over = true
        return
      case 'error':
        throw context.reported(event)
    }
  }

  return {
    event(data, name) {
      // Some gateways send `[DONE]` at the end of every stream, even of an incomplete one.
      if (data === '[DONE]') return over ? 'complete' : 'open'
      const event = fieldsOf(context.parse(data)) ?? {}
      if (name === 'error' && event['type'] === undefined) throw context.reported(event)
      accept(event)
      return over ? 'complete' : 'open'
    },
    document(body) {
      const message = fieldsOf(body) ?? {}
      if (!Array.isArray(message['content'])) {
        const isError = message['type'] === 'error' || message['error'] !== undefined
        throw isError ? context.reported(body) : context.broken('The server sent a document without an answer.')
      }
      listOf(message['content']).forEach((block, index) => {
        blocks.start(index, fieldsOf(block) ?? {})
        blocks.stop(index)
      })
      acceptUsage(message['usage'])
      reason = textOf(message['stop_reason'])
      over = true
    },
    end() {
      if (!over) throw context.broken('The stream ended before the answer did.')
      const cut = fromStopReason({ reason, hasCalls: false }) === 'length'
      const hasCalls = blocks.finish({ cut }) > 0
      emit({ type: 'finish', reason: fromStopReason({ reason, hasCalls }) })
    },
  }
}
