import { wholeValue } from '../protocol/content-value.ts'
import type { AgentContent, ContentType } from '../schema/agent-content.ts'
import type { AgentStatus } from '../schema/event-fields.ts'
import type { EventQueue } from './event-queue.ts'

/** Makes and sends the events of one part of a message. */
export class PartEvents {
  readonly #messageId: string
  readonly #type: ContentType
  readonly #queue: EventQueue
  /** The part's index in its message. `undefined` before its first event. */
  index: number | undefined

  constructor(messageId: string, type: ContentType, queue: EventQueue) {
    this.#messageId = messageId
    this.#type = type
    this.#queue = queue
  }

  /** Where the part is, for an error. */
  get path(): string {
    return `${this.#messageId}.content.${this.index ?? 'next'}`
  }

  /** Sends a piece of text. The hot path of a stream, so it copies nothing. */
  sendText(text: string, index: number): void {
    this.#queue.push({
      sequence_number: this.#queue.number(),
      object: 'content',
      status: 'in_progress',
      error: null,
      type: 'text',
      index,
      delta: true,
      msg_id: this.#messageId,
      text,
    })
  }

  sendDelta(value: object): void {
    this.#queue.send(this.#snapshot('in_progress', true, wholeValue(this.#type, value)))
  }

  sendValue(value: object): void {
    this.#queue.send(this.snapshot('in_progress', wholeValue(this.#type, value)))
  }

  /** Sends the part of `whole` that is not in `sent`: the rest of a text, otherwise the whole value. */
  sendRest(whole: Readonly<Record<string, unknown>>, sent: Readonly<Record<string, unknown>>): void {
    const [text, before] = [whole['text'], sent['text']]
    const grew = typeof text === 'string' && typeof before === 'string' && text.startsWith(before)
    if (grew) this.sendDelta({ text: text.slice(before.length) })
    else this.sendValue(whole)
  }

  sendEnd(content: AgentContent): void {
    this.#queue.send(content)
  }

  /** Makes a frozen part with this value, without sending it. */
  snapshot(status: AgentStatus, value: object): AgentContent {
    return this.#snapshot(status, false, value)
  }

  #snapshot(status: AgentStatus, delta: boolean, value: object): AgentContent {
    return Object.freeze({
      sequence_number: null,
      object: 'content',
      status,
      error: null,
      type: this.#type,
      index: this.index ?? null,
      delta,
      msg_id: this.#messageId,
      ...value,
    }) as AgentContent
  }
}
