import type { ContentValue } from '../protocol/content-value.ts'
import type { EndStatus } from '../protocol/end-status.ts'
import type { ContentType } from '../schema/agent-content.ts'
import type { AgentEvent } from '../schema/agent-event.ts'
import type { AgentMessage, AgentRole } from '../schema/agent-message.ts'
import type { AgentError } from '../schema/event-fields.ts'
import { ContentBuilder, type ContentBuilderOf } from './content-builder.ts'
import type { MessageDraft, MessageEnd } from './message-draft.ts'

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
  readonly #draft: MessageDraft

  /** @internal Use `ResponseBuilder.createMessageBuilder`. */
  constructor(draft: MessageDraft) {
    const { id, type, role } = draft.facts
    this.id = id
    this.type = type
    this.role = role
    this.#draft = draft
  }

  /** Announces the message if it is not announced yet. */
  inProgress(): readonly AgentEvent[] {
    this.#draft.announce()
    return this.#draft.queue.take()
  }

  /** Makes the next part. Nothing is sent before it has a value. */
  createContentBuilder(type?: 'text', options?: ContentBuilderOptions): ContentBuilderOf<'text'>
  createContentBuilder<TType extends ContentType>(type: TType, options?: ContentBuilderOptions): ContentBuilderOf<TType>
  createContentBuilder(type: ContentType = 'text', { index }: ContentBuilderOptions = {}): ContentBuilder {
    return new ContentBuilder(this.#draft.part(type, index), this.#draft.queue)
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

  /** Gives a copy of the message as it is so far. */
  getMessageData(): AgentMessage {
    return this.#draft.copy()
  }

  #finish(status: EndStatus, error: AgentError | undefined, end: MessageEnd): readonly AgentEvent[] {
    this.#draft.finish(status, error, end)
    return this.#draft.queue.take()
  }
}
