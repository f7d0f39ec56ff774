import { messageText, toolCallsOf, type Json, type Message } from '@parley/core'

/** A tool call that a run made. */
export interface MadeCall {
  readonly name: string
  /** The arguments of the model. The text itself if it is not JSON. */
  readonly input: Json
  /** Text of the result. `undefined` if the call has none. */
  readonly result: string | undefined
  readonly isError: boolean
}

/** Returns the tool calls of a conversation, in the order of the model. */
export function readCalls(messages: readonly Message[]): readonly MadeCall[] {
  const results = new Map(messages.flatMap(message => (message.role === 'tool' ? [[message.callId, message]] : [])))
  return messages.flatMap(message => {
    if (message.role !== 'assistant') return []
    return toolCallsOf(message).map(({ callId, name, arguments: text }) => {
      const result = results.get(callId)
      const isError = result?.isError === true
      return { name, input: parse(text), result: result === undefined ? undefined : messageText(result), isError }
    })
  })
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
