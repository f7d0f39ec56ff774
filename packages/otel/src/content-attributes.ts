import type { Attributes } from '@opentelemetry/api'
import type {
  AssistantPart,
  Message,
  ModelEvent,
  ModelRequest,
  ToolOutcome,
  ToolResultPart,
  UserPart,
} from '@parley/core'
import { ATTRIBUTE } from './attribute-names.ts'

/** Returns the instructions and messages of a request in the format of the conventions. */
export function requestContent({ system, messages }: ModelRequest): Attributes {
  return {
    [ATTRIBUTE.instructions]: JSON.stringify(system.map(({ text }) => ({ type: 'text', content: text }))),
    [ATTRIBUTE.inputMessages]: JSON.stringify(messages.map(toMessage)),
  }
}

/** Returns the outcome of a tool call as text. */
export function resultText(outcome: ToolOutcome): string {
  if (outcome.type === 'ask') return outcome.prompt
  if (outcome.type === 'handoff') return outcome.target
  if (outcome.type === 'pending') return ''
  return contentText(outcome.content)
}

/** Collects the content of a model's answer. */
export class AnswerContent {
  #text = ''
  #reasoning = ''
  readonly #calls: object[] = []

  add(event: ModelEvent): void {
    if (event.type === 'text.delta') this.#text += event.text
    if (event.type === 'reasoning.delta') this.#reasoning += event.text
    if (event.type !== 'tool-call') return
    const { callId: id, name, arguments: text } = event
    this.#calls.push({ type: 'tool_call', id, name, arguments: text })
  }

  /** Returns the answer in the format of the conventions. */
  attributes(finish: string | undefined): Attributes {
    const parts = [
      ...(this.#reasoning === '' ? [] : [{ type: 'reasoning', content: this.#reasoning }]),
      ...(this.#text === '' ? [] : [{ type: 'text', content: this.#text }]),
      ...this.#calls,
    ]
    return {
      [ATTRIBUTE.outputMessages]: JSON.stringify([{ role: 'assistant', parts, finish_reason: finish ?? 'error' }]),
    }
  }
}

function toMessage(message: Message): object {
  switch (message.role) {
    case 'system':
      return { role: 'system', parts: [{ type: 'text', content: message.content }] }
    case 'tool':
      return {
        role: 'tool',
        parts: [{ type: 'tool_call_response', id: message.callId, response: contentText(message.content) }],
      }
    case 'user':
    case 'assistant':
      return { role: message.role, parts: message.content.map(toPart) }
  }
}

function toPart(part: UserPart | AssistantPart): object {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, content: part.text }
    case 'tool-call':
      return { type: 'tool_call', id: part.callId, name: part.name, arguments: part.arguments }
    case 'file':
      // Only name and media type, because traces should not contain file data.
      return { type: 'file', mime_type: part.mediaType, ...(part.name === undefined ? {} : { name: part.name }) }
    case 'opaque':
      return { type: 'opaque' }
  }
}

function contentText(content: readonly ToolResultPart[]): string {
  return content.map(part => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join('\n')
}
