import type { Model, ModelInfo } from '@parley/core'
import { createEncodingCache } from '@parley/provider-kit'
import { createChatDecoder } from './create-chat-decoder.ts'
import { createMessageEncoder } from './create-message-encoder.ts'
import type { ModelConnection } from '../model-connection.ts'
import { systemRoleOf } from '../wire/system-role-of.ts'
import { encodeChatTool, toChatRequest } from './to-chat-request.ts'

/** Models behind `POST /chat/completions`. */
export function createChatModels({
  provider,
  quirks,
  wire,
  http,
  createCallId,
}: ModelConnection): (id: string, info: ModelInfo) => Model {
  const { thinkTags = 'keep' } = quirks
  const stream = wire === 'stream'
  const encodeTool = createEncodingCache(encodeChatTool)
  return (id, info) => {
    const systemRole = systemRoleOf(id, quirks)
    const encodeMessages = createMessageEncoder({ provider, model: id, quirks, systemRole })
    return {
      provider,
      id,
      info,
      stream: (request, { signal, retry }) =>
        http.stream({
          path: 'chat/completions',
          model: id,
          format: stream ? 'sse' : 'json',
          body: () =>
            toChatRequest(request, { provider, model: id, quirks, stream, systemRole, encodeMessages, encodeTool }),
          createDecoder: context =>
            createChatDecoder({ context, provider, thinkTags, messages: request.messages, createCallId }),
          signal,
          retry,
        }),
    }
  }
}
