import {
  describeError,
  messageSize,
  toolCallsOf,
  type AssistantMessage,
  type Message,
  type ToolMessage,
} from '@parley/core'
import { Transcript } from './transcript.ts'

/**
 * Makes a valid transcript of any messages: each tool call has exactly one result, directly after its message. Adds an
 * error result for each missing one, and drops stray and duplicate results. Returns a valid list unchanged.
 */
export function repairTranscript(messages: readonly Message[]): readonly Message[] {
  return isValidTranscript(messages) ? messages : repair(messages)
}

/** As `repairTranscript`, as a `Transcript` whose size is known. */
export function toTranscript(messages: readonly Message[]): Transcript {
  const size = sizeIfValid(messages)
  return size === undefined ? Transcript.from(repair(messages)) : Transcript.from(messages, size)
}

/** Whether every tool call has exactly one result, directly after its message, and no result lacks its call. */
export function isValidTranscript(messages: readonly Message[]): boolean {
  return sizeIfValid(messages) !== undefined
}

/**
 * Returns the sum of the sizes of a valid list of messages, and `undefined` for another list. Both in one walk, because reading a
 * long history from memory takes most of the time (bench: tricks one-walk).
 */
function sizeIfValid(messages: readonly Message[]): number | undefined {
  let size = 0
  let index = 0
  while (index < messages.length) {
    const message = messages[index++] as Message
    if (message.role === 'tool') return undefined
    size += messageSize(message)
    if (message.role !== 'assistant') continue
    const calls = countCalls(message)
    if (calls === 0) continue
    // Results usually come in the order of their calls, and comparing in order needs no set of ids (bench: tricks results-in-order).
    if (!areInOrder(message, messages, index) && !areComplete(message, messages, index)) return undefined
    for (const end = index + calls; index < end; index++) size += messageSize(messages[index] as Message)
  }
  return size
}

/** Counts without creating a list of the calls for each answer of a long history (bench: tricks count-calls). */
function countCalls({ content }: AssistantMessage): number {
  let count = 0
  for (const part of content) if (part.type === 'tool-call') count++
  return count
}

/** Whether the messages from `from` on are the results of the calls, in the same order. */
function areInOrder({ content }: AssistantMessage, messages: readonly Message[], from: number): boolean {
  let index = from
  let last: string | undefined
  for (const part of content) {
    if (part.type !== 'tool-call') continue
    const result = messages[index++]
    // With more than two calls, an id may repeat further apart: the full check decides.
    if (result?.role !== 'tool' || result.callId !== part.callId || part.callId === last || index - from > 2)
      return false
    last = part.callId
  }
  return true
}

function areComplete(message: AssistantMessage, messages: readonly Message[], from: number): boolean {
  const calls = toolCallsOf(message)
  const open = new Set(calls.map(call => call.callId))
  if (open.size !== calls.length) return false
  for (let index = from; index < from + calls.length; index++) {
    const result = messages[index]
    if (result?.role !== 'tool' || !open.delete(result.callId)) return false
  }
  return true
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
