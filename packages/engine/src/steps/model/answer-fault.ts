import { storageFault, type AssistantMessage } from '@parley/core'

/**
 * Returns why an answer is invalid, or `undefined` if it is valid. If the runtime has a store (`stored`), an answer that the store
 * cannot keep is also invalid. Arguments that are not JSON, or are nested too deeply, fail only their own tool call, not the answer.
 */
export function answerFault(message: AssistantMessage, stored: boolean): string | undefined {
  for (const part of message.content) {
    if (part.type !== 'tool-call') continue
    const { callId, name, arguments: text } = part
    if (typeof callId !== 'string' || typeof name !== 'string' || typeof text !== 'string')
      return 'The answer has a tool call whose id, name or arguments are not text.'
  }
  const fault = stored ? storageFault(message) : undefined
  return fault === undefined ? undefined : `The answer ${fault}.`
}
