import { describeError, toolCallsOf, type AssistantMessage, type Message, type ToolMessage } from '@parley/core'

/**
 * Makes foreign messages a valid transcript: each tool call has exactly one result, directly after its message.
 * Missing results are filled with an honest error, strays and duplicates are dropped. A valid list comes back as it is.
 */
export function repairTranscript(messages: readonly Message[]): readonly Message[] {
  return isValidTranscript(messages) ? messages : repair(messages)
}

/** Whether every tool call has exactly one result, directly after its message, and no result lacks its call. */
export function isValidTranscript(messages: readonly Message[]): boolean {
  let index = 0
  while (index < messages.length) {
    const message = messages[index++] as Message
    if (message.role === 'tool') return false
    if (message.role !== 'assistant' || !hasCall(message)) continue
    const calls = toolCallsOf(message)
    const open = new Set(calls.map(call => call.callId))
    if (open.size !== calls.length) return false
    for (let count = calls.length; count > 0; count--) {
      const result = messages[index++]
      if (result?.role !== 'tool' || !open.delete(result.callId)) return false
    }
  }
  return true
}

/** Long histories are mostly plain text: looking is cheaper than listing. */
function hasCall({ content }: AssistantMessage): boolean {
  for (const part of content) if (part.type === 'tool-call') return true
  return false
}

function repair(messages: readonly Message[]): Message[] {
  const repaired: Message[] = []
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') continue
    if (message.role !== 'assistant') {
      repaired.push(message)
      continue
    }
    const calls = toolCallsOf(message)
    const ids = new Set<string>()
    const unique = calls.filter(call => !ids.has(call.callId) && ids.add(call.callId))
    repaired.push(
      unique.length === calls.length
        ? message
        : { ...message, content: message.content.filter(part => part.type !== 'tool-call' || unique.includes(part)) },
    )
    const results = resultsUntilNextAnswer(messages, index + 1)
    for (const { callId, name } of unique) repaired.push(results.get(callId) ?? lostResult(callId, name))
  }
  return repaired
}

function resultsUntilNextAnswer(messages: readonly Message[], from: number): Map<string, ToolMessage> {
  const results = new Map<string, ToolMessage>()
  for (let index = from; index < messages.length; index++) {
    const message = messages[index] as Message
    if (message.role === 'assistant') break
    if (message.role === 'tool' && !results.has(message.callId)) results.set(message.callId, message)
  }
  return results
}

function lostResult(callId: string, name: string): ToolMessage {
  const text = describeError({ code: 'tool-interrupted', tool: name })
  return { role: 'tool', callId, name, content: [{ type: 'text', text }], isError: true }
}
