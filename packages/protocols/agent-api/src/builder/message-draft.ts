import type { EndStatus } from '../protocol/end-status.ts'
import { isCallType, isOutputType } from '../protocol/message-kind.ts'
import type { AgentContent, ContentType } from '../schema/agent-content.ts'
import type { AgentMessage, AgentRole } from '../schema/agent-message.ts'
import type { AgentError, AgentStatus } from '../schema/event-fields.ts'
import type { JsonObject } from '../schema/json-object.ts'
import { builderMisuse } from './builder-misuse.ts'
import type { CallLedger } from './call-ledger.ts'
import { ContentDraft } from './content-draft.ts'
import type { EventQueue } from './event-queue.ts'
import { frozenCopy } from './frozen-copy.ts'

/** The response of a message, as the message uses it. */
export interface MessageHost {
  readonly queue: EventQueue
  readonly calls: CallLedger
  /** Called before the message's first event. */
  begin(): void
  /** Called with the ended message before it is sent. */
  ended(message: AgentMessage): void
  /** Maps an end to one that the client's profile knows. */
  endAs(
    status: EndStatus,
    error: AgentError | undefined,
  ): { readonly status: EndStatus; readonly error: AgentError | null }
}

export interface MessageFacts {
  readonly id: string
  readonly type: string
  readonly role: AgentRole | null
}

/** Fields of the end of a message. */
export interface MessageEnd {
  /** Token counts, including `input_tokens` and `output_tokens`. @default none */
  readonly usage?: Readonly<JsonObject> | undefined
  /** Metadata of the message. @default none */
  readonly metadata?: Readonly<JsonObject> | undefined
}

/** One message as it grows: its parts so far and its end. Queues the events of the message. */
export class MessageDraft {
  readonly facts: MessageFacts
  readonly #host: MessageHost
  readonly #parts: ContentDraft[] = []
  #announced = false
  #ended: AgentMessage | undefined

  constructor(host: MessageHost, facts: MessageFacts) {
    this.#host = host
    this.facts = facts
  }

  get queue(): EventQueue {
    return this.#host.queue
  }

  /** Makes a part that joins the message with its first event. */
  part(type: ContentType, expectedIndex: number | undefined): ContentDraft {
    const { id, type: messageType } = this.facts
    if (type !== 'data' && (isCallType(messageType) || isOutputType(messageType)))
      throw builderMisuse(`${id}.content`, `must be data in ${messageType}, not ${type}`)
    const begin = (part: ContentDraft, expected: number | undefined): number => this.#begin(part, expected)
    const check = (data: Readonly<JsonObject>, at: number): void =>
      this.#host.calls.check(messageType, data, `${id}.content.${at}`)
    return new ContentDraft({ id, queue: this.queue, begin, check }, type, expectedIndex)
  }

  /** Announces the message if it is not announced yet. */
  announce(): void {
    if (this.#announced) return
    this.#host.begin()
    this.#announced = true
    this.queue.send(this.#snapshot('in_progress'))
  }

  /** Announces the message and ends it. Does nothing if it has ended. */
  finish(status: EndStatus, error: AgentError | undefined, end: MessageEnd): void {
    if (this.#ended !== undefined) return
    this.announce()
    this.#close(status, error, end)
  }

  /** Ends the message if it is announced. */
  end(status: EndStatus, error?: AgentError): void {
    if (this.#announced && this.#ended === undefined) this.#close(status, error, {})
  }

  /** Copies the message as it is so far. */
  copy(): AgentMessage {
    return this.#ended ?? this.#snapshot(this.#announced ? 'in_progress' : 'created')
  }

  #close(asked: EndStatus, cause: AgentError | undefined, { usage, metadata }: MessageEnd): void {
    const { status, error } = this.#host.endAs(asked, cause)
    this.#parts.at(-1)?.end(status === 'failed' ? 'incomplete' : status)
    const content = Object.freeze(this.#parts.flatMap(part => part.ended ?? [])) as AgentContent[]
    const message = this.#snapshot(status, {
      content,
      error,
      usage: usage === undefined ? null : frozenCopy(usage),
      metadata: metadata === undefined ? null : frozenCopy(metadata),
    })
    this.#ended = message
    this.#host.ended(message)
    this.queue.send(message)
  }

  #begin(part: ContentDraft, expected: number | undefined): number {
    const index = this.#parts.length
    if (this.#ended !== undefined) throw builderMisuse(this.facts.id, `has ended as ${this.#ended.status}`)
    if (expected !== undefined && expected !== index)
      throw builderMisuse(`${this.facts.id}.content.${expected}`, `must have the index ${index} of the next part`)
    this.announce()
    this.#parts.at(-1)?.end('completed')
    this.#parts.push(part)
    return index
  }

  #snapshot(status: AgentStatus, fields: Partial<AgentMessage> = {}): AgentMessage {
    return Object.freeze({
      sequence_number: null,
      object: 'message' as const,
      status,
      error: null,
      ...this.facts,
      content: null,
      code: null,
      message: null,
      usage: null,
      metadata: null,
      ...fields,
    })
  }
}
