import { mergeData } from '../protocol/merge-data.ts'
import { isEndStatus } from '../protocol/end-status.ts'
import { valueOf } from '../protocol/content-value.ts'
import type { AgentContent } from '../schema/agent-content.ts'
import type { AgentMessage } from '../schema/agent-message.ts'
import type { AgentResponse } from '../schema/agent-response.ts'

interface OpenMessage {
  message: AgentMessage
  readonly parts: Map<number, AgentContent>
}

/**
 * Assembles events into their response. Tolerates missing events: a message that was never announced and a part that never
 * ended are in the response as far as they are known.
 */
export class ResponseAssembler {
  #response: AgentResponse | undefined
  #messages = new Map<string, OpenMessage>()

  /** Id of the response. `undefined` before its first event. */
  get id(): string | undefined {
    return this.#response?.id
  }

  /** The response so far. `undefined` before its first event. */
  get response(): AgentResponse | undefined {
    if (this.#response === undefined) return undefined
    // In the server's order, followed by messages that the server's output lacks.
    const ids = new Set([...(this.#response.output ?? []).map(({ id }) => id), ...this.#messages.keys()])
    const messages = [...ids].flatMap(id => this.#messages.get(id) ?? [])
    return { ...this.#response, output: messages.filter(({ message }) => message.type !== 'heartbeat').map(toMessage) }
  }

  /** Returns the index of the open or next part, for content without an index. */
  openIndex(messageId: string): number {
    const parts = this.#messages.get(messageId)?.parts
    if (parts === undefined || parts.size === 0) return 0
    const last = Math.max(...parts.keys())
    return isEndStatus(parts.get(last)?.status ?? null) ? last + 1 : last
  }

  addResponse(response: AgentResponse): void {
    // A server that could not resume the stream restarts it and sends the messages again.
    if (response.status === 'created' && this.#response !== undefined) this.#messages = new Map()
    this.#response = response
    for (const message of response.output ?? []) this.addMessage(message)
  }

  addMessage(message: AgentMessage): void {
    const known = this.#messages.get(message.id)
    const parts = known?.parts ?? new Map<number, AgentContent>()
    for (const [index, part] of (message.content ?? []).entries()) parts.set(part.index ?? index, part)
    if (known === undefined) this.#messages.set(message.id, { message, parts })
    else known.message = message
  }

  addContent(content: AgentContent): void {
    const id = content.msg_id ?? ''
    let open = this.#messages.get(id)
    if (open === undefined) {
      open = { message: unannounced(id), parts: new Map() }
      this.#messages.set(id, open)
    }
    const index = content.index ?? 0
    const before = open.parts.get(index)
    open.parts.set(index, before === undefined ? content : joined(before, content))
  }
}

function toMessage({ message, parts }: OpenMessage): AgentMessage {
  const content = [...parts].toSorted(([a], [b]) => a - b).map(([, part]) => ({ ...part, delta: false }))
  return content.length === 0 ? message : { ...message, content }
}

function joined(before: AgentContent, next: AgentContent): AgentContent {
  const merges = next.delta === true && before.type === next.type
  if (merges && before.type === 'text' && next.type === 'text')
    return { ...next, text: (before.text ?? '') + (next.text ?? '') }
  if (merges && before.type === 'data' && next.type === 'data')
    return { ...next, data: next.data === null ? before.data : mergeData(before.data, next.data) }
  // An end without a value keeps the value so far.
  const empty = before.type === next.type && Object.values(valueOf(next)).every(value => value === null)
  return empty ? { ...next, ...valueOf(before) } : next
}

function unannounced(id: string): AgentMessage {
  return {
    sequence_number: null,
    object: 'message',
    status: 'in_progress',
    error: null,
    id,
    type: 'message',
    role: 'assistant',
    content: null,
    code: null,
    message: null,
    usage: null,
    metadata: null,
  }
}
