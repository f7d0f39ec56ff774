import type { AssistantMessage, Message, Model, ModelInfo } from '@parley/core'
import { createEncodingCache } from '@parley/provider-kit'
import { createResponsesDecoder } from './create-responses-decoder.ts'
import { encodeResponsesItems } from './encode-responses-items.ts'
import { isReasoningModel } from '../wire/is-reasoning-model.ts'
import type { ModelConnection } from '../model-connection.ts'
import { encodeResponsesTool, toResponsesRequest } from './to-responses-request.ts'

/** Models behind `POST /responses`. */
export function createResponsesModels({
  provider,
  quirks,
  wire,
  http,
  createCallId,
}: ModelConnection): (id: string, info: ModelInfo) => Model {
  const stream = wire === 'stream'
  const { developerRole: isOpenAI = false } = quirks
  const encodeTool = createEncodingCache(encodeResponsesTool)
  return (id, info) => {
    const encodeMessage = createEncodingCache((message: Message, reply: AssistantMessage | undefined) =>
      encodeResponsesItems(message, reply, { provider, model: id, quirks }),
    )
    const encodeItems = (messages: readonly Message[]): readonly string[] => {
      let reply: AssistantMessage | undefined
      return messages.map(message => {
        const items = encodeMessage(message, reply)
        if (message.role === 'assistant') reply = message
        return items
      })
    }
    const encryptedReasoning = isOpenAI && isReasoningModel(id)
    const options = { provider, model: id, quirks, stream, encryptedReasoning, encodeItems, encodeTool }
    return {
      provider,
      id,
      info,
      stream: (request, { signal, retry }) =>
        http.stream({
          path: 'responses',
          model: id,
          format: stream ? 'sse' : 'json',
          body: () => toResponsesRequest(request, options),
          createDecoder: context => createResponsesDecoder({ context, provider, createCallId }),
          signal,
          retry,
        }),
    }
  }
}
