import { toolCallsOf, type Message, type ToolMessage } from '@parley/core'
import { missingToolText } from '../tools/build-tools.ts'

const reworded = new WeakMap<ToolMessage, ToolMessage>()

/**
 * Rewrites the results of calls that never reached a tool, because the arguments are invalid JSON or the tool does not exist. The
 * format prescribes their texts. It uses only the transcript, so a resumed run has the same result.
 */
export function withToolErrorTexts(messages: readonly Message[], known: ReadonlySet<string>): readonly Message[] {
  const texts = new Map<string, string>()
  let changed = false
  const out = messages.map(message => {
    if (message.role === 'assistant') {
      for (const { callId, name, arguments: given } of toolCallsOf(message)) {
        const text = toolErrorText({ name, arguments: given }, known)
        if (text === undefined) texts.delete(callId)
        else texts.set(callId, text)
      }
    }
    const text = message.role === 'tool' && message.isError === true ? texts.get(message.callId) : undefined
    if (text === undefined || message.role !== 'tool') return message
    changed = true
    return reword(message, text)
  })
  return changed ? out : messages
}

/** Returns the text for a call that cannot run; `undefined` if the call can run. */
export function toolErrorText(
  { name, arguments: text }: { readonly name: string; readonly arguments: string },
  known: ReadonlySet<string>,
): string | undefined {
  if (!known.has(name)) return missingToolText(name)
  if (text.trim() === '') return undefined
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return `Error parsing arguments: ${error instanceof Error ? error.message : String(error)}`
  }
}

/**
 * Returns the message with another text. It returns the same object for the same message each time, because providers cache
 * converted messages by identity.
 */
function reword(message: ToolMessage, text: string): ToolMessage {
  let result = reworded.get(message)
  if (result === undefined) {
    result = { ...message, content: [{ type: 'text', text }] }
    reworded.set(message, result)
  }
  return result
}
