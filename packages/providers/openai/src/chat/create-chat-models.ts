import type { Model } from '@parley/core'
import { createEncodingCache, createHttpModel, type ProviderConnection } from '@parley/provider-kit'
import type { Quirks } from '../quirks/quirks.ts'
import { systemRoleOf } from '../wire/reasoning-models.ts'
import { createChatDecoder } from './create-chat-decoder.ts'
import { createMessageEncoder } from './create-message-encoder.ts'
import { encodeChatTool, toChatRequest } from './to-chat-request.ts'

/** Returns a function that creates models which answer at `POST /chat/completions`. */
export function createChatModels(connection: ProviderConnection, quirks: Quirks): (id: string) => Model {
  const { name: provider, wire, createCallId } = connection
  const { thinkTags = 'keep' } = quirks
  const encodeTool = createEncodingCache(encodeChatTool)
  return id => {
    const systemRole = systemRoleOf(id, quirks)
    const encodeMessages = createMessageEncoder({ provider, model: id, quirks, systemRole })
    const options = { provider, model: id, quirks, stream: wire === 'stream', systemRole, encodeMessages, encodeTool }
    return createHttpModel(connection, {
      id,
      path: 'chat/completions',
      encode: request => toChatRequest(request, options),
      createDecoder: (context, { messages }) =>
        createChatDecoder({ context, provider, thinkTags, messages, createCallId }),
    })
  }
}
