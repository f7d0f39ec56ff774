import type { AssistantMessage, Message, Model } from '@parley/core'
import { createEncodingCache, createHttpModel, type ProviderConnection } from '@parley/provider-kit'
import type { Quirks } from '../quirks/quirks.ts'
import { isReasoningModel } from '../wire/reasoning-models.ts'
import { createResponsesDecoder } from './create-responses-decoder.ts'
import { encodeResponsesItems } from './encode-responses-items.ts'
import { encodeResponsesTool, toResponsesRequest } from './to-responses-request.ts'

/** Returns a function that creates models which answer at `POST /responses`. */
export function createResponsesModels(connection: ProviderConnection, quirks: Quirks): (id: string) => Model {
  const { name: provider, wire, createCallId } = connection
  const { developerRole: isOpenAI = false } = quirks
  const encodeTool = createEncodingCache(encodeResponsesTool)
  return id => {
    const encryptedReasoning = isOpenAI && isReasoningModel(id)
    const encodeItems = createItemsEncoder(provider, id, quirks)
    const stream = wire === 'stream'
    const options = { provider, model: id, quirks, stream, encryptedReasoning, encodeItems, encodeTool }
    return createHttpModel(connection, {
      id,
      path: 'responses',
      encode: request => toResponsesRequest(request, options),
      createDecoder: context => createResponsesDecoder({ context, provider, createCallId }),
    })
  }
}

function createItemsEncoder(
  provider: string,
  model: string,
  quirks: Quirks,
): (messages: readonly Message[]) => readonly string[] {
  const encodeMessage = createEncodingCache((message: Message, reply: AssistantMessage | undefined) =>
    encodeResponsesItems(message, reply, { provider, model, quirks }),
  )
  return messages => {
    let reply: AssistantMessage | undefined
    return messages.map(message => {
      const items = encodeMessage(message, reply)
      if (message.role === 'assistant') reply = message
      return items
    })
  }
}
