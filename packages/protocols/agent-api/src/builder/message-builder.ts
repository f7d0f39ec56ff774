import { builderMisuse } from './builder-misuse.ts'
import type { CallLedger } from './call-ledger.ts'
import { ContentBuilder, type ContentBuilderOf } from './content-builder.ts'
import type { ContentValue } from '../protocol/content-value.ts'
import type { EndStatus } from '../protocol/end-status.ts'
import { frozenCopy } from './frozen-copy.ts'
import { isCallType, isOutputType } from '../protocol/message-kind.ts'
import type { AgentContent, ContentType } from '../schema/agent-content.ts'
import type { AgentError, AgentStatus } from '../schema/event-fields.ts'
import type { AgentEvent } from '../schema/agent-event.ts'
import type { AgentMessage, AgentRole } from '../schema/agent-message.ts'
import type { JsonObject } from '../schema/json-object.ts'
import type { EventQueue } from './event-queue.ts'

/** The functions of a response that its messages use. */
export interface MessageHost {
  readonly queue: EventQueue
  readonly calls: CallLedger
  /** Called before the message's first event. */
  begin(): void
  /** Called with the ended message before it is sent. */
  ended(message: AgentMessage): void
  /** Converts a terminal status to one that the client's profile knows. */
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

/** Options of `MessageBuilder.createContentBuilder`. */
export interface ContentBuilderOptions {
  /** Expected index of the part. Starting the part throws `config-invalid` if it differs. @default the next index */
  readonly index?: number | undefined
}

/**
 * Builds one message. Every method returns the events to send, in order, numbered and frozen. The first content announces
 * the message. Ending the message ends its content. Ending it again does nothing.
 */
export class MessageBuilder {
  readonly id: string
  readonly type: string
  readonly role: AgentRole | null
  readonly #host: MessageHost
  readonly #parts: ContentBuilder[] = []
  #announced = false
  #ended: AgentMessage | undefined

  /** @internal Use `ResponseBuilder.createMessageBuilder`. */
  constructor(host: MessageHost, { id, type, role }: MessageFacts) {
    this.#host = host
    this.id = id
    this.type = type
    this.role = role
  }

  /** Announces the message if it is not announced yet. */
  inProgress(): readonly AgentEvent[] {
    this.#announce()
    return this.#host.queue.take()
  }

  /** Creates the next part. Nothing is sent before the part has a value. */
  createContentBuilder(type?: 'text', options?: ContentBuilderOptions): ContentBuilderOf<'text'>
  createContentBuilder<TType extends ContentType>(type: TType, options?: ContentBuilderOptions): ContentBuilderOf<TType>
  createContentBuilder(type: ContentType = 'text', { index }: ContentBuilderOptions = {}): ContentBuilder {
    if (type !== 'data' && (isCallType(this.type) || isOutputType(this.type)))
      throw builderMisuse(`${this.id}.content`, `must be data in ${this.type}, not ${type}`)
    const begin = (part: ContentBuilder, expected: number | undefined): number => this.#begin(part, expected)
    const check = (data: Readonly<JsonObject>, at: number): void =>
      this.#host.calls.check(this.type, data, `${this.id}.content.${at}`)
    return new ContentBuilder({ id: this.id, queue: this.#host.queue, begin, check }, type, index)
  }

  /** Adds a whole part. */
  addContent<TType extends ContentType>(type: TType, value: ContentValue<TType>): readonly AgentEvent[] {
    return this.createContentBuilder(type).completeWith(value)
  }

  complete(end: MessageEnd = {}): readonly AgentEvent[] {
    return this.#finish('completed', undefined, end)
  }

  failed(error: AgentError, end: MessageEnd = {}): readonly AgentEvent[] {
    return this.#finish('failed', error, end)
  }

  canceled(end: MessageEnd = {}): readonly AgentEvent[] {
    return this.#finish('canceled', undefined, end)
  }

  rejected(error?: AgentError, end: MessageEnd = {}): readonly AgentEvent[] {
    return this.#finish('rejected', error, end)
  }

  incomplete(end: MessageEnd = {}): readonly AgentEvent[] {
    return this.#finish('incomplete', undefined, end)
  }

  /** Returns a copy of the message in its current state. */
  getMessageData(): AgentMessage {
    return this.#ended ?? this.#snapshot(this.#announced ? 'in_progress' : 'created')
  }

  /** @internal Ends an announced message, without taking the events from the queue. */
  end(status: EndStatus, error?: AgentError): void {
    if (this.#announced && this.#ended === undefined) this.#close(status, error, {})
  }

  #finish(status: EndStatus, error: AgentError | undefined, end: MessageEnd): readonly AgentEvent[] {
    if (this.#ended === undefined) {
      this.#announce()
      this.#close(status, error, end)
    }
    return this.#host.queue.take()
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
    this.#host.queue.send(message)
  }

  #announce(): void {
    if (this.#announced) return
    this.#host.begin()
    this.#announced = true
    this.#host.queue.send(this.#snapshot('in_progress'))
  }

  #begin(part: ContentBuilder, expected: number | undefined): number {
    const index = this.#parts.length
    if (this.#ended !== undefined) throw builderMisuse(this.id, `has ended as ${this.#ended.status}`)
    if (expected !== undefined && expected !== index)
      throw builderMisuse(`${this.id}.content.${expected}`, `must have the index ${index} of the next part`)
    this.#announce()
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
      id: this.id,
      type: this.type,
      role: this.role,
      content: null,
      code: null,
      message: null,
      usage: null,
      metadata: null,
      ...fields,
    })
  }
}
