import type { AssistantMessage, Message, SystemMessage, UserMessage } from '@parley/core'
import { createEncodingCache } from '@parley/provider-kit'
import type { Quirks } from '../quirks/quirks.ts'

/**
 * Creates a function that arranges a conversation in the order of roles that the server's chat templates accept. Unchanged
 * messages keep their identity. It uses only the quirks `systemMessages` and `alternatingRoles`.
 */
export function createMessageArranger({
  systemMessages = 'anywhere',
  alternatingRoles = false,
}: Quirks): (messages: readonly Message[]) => readonly Message[] {
  const asUser = createEncodingCache(({ content }: SystemMessage): UserMessage => {
    return { role: 'user', content: [{ type: 'text', text: `<system>\n${content}\n</system>` }] }
  })
  return messages => {
    const placed =
      systemMessages === 'first'
        ? messages.map(message => (message.role === 'system' ? asUser(message) : message))
        : messages
    return alternatingRoles ? joinTurns(placed) : placed
  }
}

function joinTurns(messages: readonly Message[]): readonly Message[] {
  const turns: Message[] = []
  for (const message of messages) {
    const last = turns.at(-1)
    const joined = last === undefined ? undefined : join(last, message)
    if (joined === undefined) turns.push(message)
    else turns[turns.length - 1] = joined
  }
  return turns
}

/** Joins two messages of the same role; `undefined` for different roles and for tool results, which stay separate. */
function join(a: Message, b: Message): UserMessage | AssistantMessage | undefined {
  if (a.role === 'user' && b.role === 'user') return { ...a, content: [...a.content, ...b.content] }
  if (a.role === 'assistant' && b.role === 'assistant') return { ...a, content: [...a.content, ...b.content] }
  return undefined
}
