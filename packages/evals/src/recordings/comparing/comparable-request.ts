import type { Message } from '@parley/core'
import type { RecordedRequest } from '../cassette.ts'

/** A request in the form in which it is compared: as data, tools by name, without what has no effect on the answer. */
export type ComparableRequest = Readonly<Record<string, unknown>>

/** The fields of a request. A cassette made from a journal can lack all but `messages`. */
const REQUEST_FIELDS = ['system', 'messages', 'tools', 'toolChoice', 'settings'] as const

/**
 * Returns the fields of a request that are compared. A volatile part of the instructions, for example the time, changes between calls,
 * so its text does not count; neither does the order of tools.
 */
export function toComparable({ system, messages, tools, toolChoice, settings }: RecordedRequest): ComparableRequest {
  const isWhole = settings !== undefined
  return JSON.parse(
    JSON.stringify({
      ...(system === undefined
        ? {}
        : { system: system.map(({ text, volatile }) => (volatile === true ? { volatile } : { text })) }),
      messages: messages.map(withoutExecution),
      ...(tools === undefined ? {} : { tools: Object.fromEntries(tools.map(({ name, ...tool }) => [name, tool])) }),
      ...(isWhole ? { toolChoice: toolChoice ?? 'auto' } : {}),
      ...(settings === undefined ? {} : { settings }),
    }),
  ) as ComparableRequest
}

/** The names of the fields that a request has. Requests with the same fields can be compared by their text. */
export function fieldsOf(request: ComparableRequest): string {
  return REQUEST_FIELDS.filter(field => field in request).join()
}

/** Returns only the fields that another request has. */
export function withFieldsOf(request: ComparableRequest, other: ComparableRequest): ComparableRequest {
  return Object.fromEntries(Object.entries(request).filter(([field]) => field in other))
}

/** Where a call was executed is a mark of the engine, which no provider sends. */
function withoutExecution(message: Message): Message {
  if (message.role !== 'assistant' || !message.content.some(part => 'execution' in part)) return message
  const content = message.content.map(part => {
    if (part.type !== 'tool-call') return part
    const { execution: _engine, ...call } = part
    return call
  })
  return { ...message, content }
}
