import { hasValue, type ContentValue } from '../protocol/content-value.ts'
import type { AgentContent, ContentType } from '../schema/agent-content.ts'
import type { AgentEvent } from '../schema/agent-event.ts'
import type { JsonObject } from '../schema/json-object.ts'
import type { ContentDraft } from './content-draft.ts'
import type { EventQueue } from './event-queue.ts'

interface Setters {
  readonly text: 'addTextDelta' | 'addDelta' | 'setText'
  readonly data: 'addDataDelta' | 'setData' | 'updateData'
  readonly image: 'setImageUrl'
  readonly audio: 'setAudio'
  readonly file: 'setFile'
  readonly refusal: 'setRefusal'
  readonly video: 'setVideoUrl'
}

/** A `ContentBuilder` with only the methods of its content type. */
export type ContentBuilderOf<TType extends ContentType> = Pick<
  ContentBuilder,
  'type' | 'complete' | 'completeWith' | 'getContentData' | Setters[TType]
>

/**
 * Builds one part of a message. Every method returns the events to send, in order, numbered and frozen. A part starts with
 * its first value. That ends the previous part of the message. Ending a part again does nothing. Adding to a part that has
 * ended throws `config-invalid`. So does a value that does not match the part's type.
 */
export class ContentBuilder {
  readonly type: ContentType
  readonly #draft: ContentDraft
  readonly #queue: EventQueue

  /** @internal Use `MessageBuilder.createContentBuilder`. */
  constructor(draft: ContentDraft, queue: EventQueue) {
    this.type = draft.type
    this.#draft = draft
    this.#queue = queue
  }

  /** Adds text. Empty text gives no event. */
  addTextDelta(text: string): readonly AgentEvent[] {
    this.#draft.check('text', typeof text === 'string')
    if (text !== '') this.#draft.addText(text)
    return this.#queue.take()
  }

  /** Adds text, as `addTextDelta` does. */
  addDelta(text: string): readonly AgentEvent[] {
    return this.addTextDelta(text)
  }

  /** Merges a delta into the data, by the rules of `mergeData`. */
  addDataDelta(delta: Readonly<JsonObject>): readonly AgentEvent[] {
    this.#draft.check('data', isObject(delta))
    this.#draft.addData(delta)
    return this.#queue.take()
  }

  /** Replaces the whole text. */
  setText(text: string): readonly AgentEvent[] {
    return this.#replace('text', typeof text === 'string', { text })
  }

  /** Replaces the whole data. */
  setData(data: Readonly<JsonObject>): readonly AgentEvent[] {
    return this.#replace('data', isObject(data), { data })
  }

  /** Sets one key of the data. */
  updateData(key: string, value: unknown): readonly AgentEvent[] {
    return this.#replace('data', true, {
      data: { ...(this.#draft.value['data'] as JsonObject | undefined), [key]: value },
    })
  }

  /** Sets the image. `url` may be a `data:` URL. */
  setImageUrl(url: string): readonly AgentEvent[] {
    return this.#replace('image', typeof url === 'string', { image_url: url })
  }

  /** Sets the audio. `data` is a URL, a `data:` URL or base64. */
  setAudio(audio: ContentValue<'audio'>): readonly AgentEvent[] {
    return this.#replace('audio', typeof audio.data === 'string', audio)
  }

  setFile(file: ContentValue<'file'>): readonly AgentEvent[] {
    return this.#replace('file', hasValue('file', file), file)
  }

  setVideoUrl(url: string): readonly AgentEvent[] {
    return this.#replace('video', typeof url === 'string', { video_url: url })
  }

  setRefusal(refusal: string): readonly AgentEvent[] {
    return this.#replace('refusal', typeof refusal === 'string', { refusal })
  }

  /** Ends the part. A text part without text ends with an empty text. */
  complete(): readonly AgentEvent[] {
    if (this.#draft.ended === undefined) this.#draft.complete()
    return this.#queue.take()
  }

  /**
   * Ends the part with this whole value. If the deltas so far do not add up to it, the difference is sent first: the
   * rest of a text, otherwise a snapshot.
   */
  completeWith(value: ContentValue): readonly AgentEvent[] {
    if (this.#draft.ended === undefined) {
      this.#draft.fill(value)
      this.#draft.complete()
    }
    return this.#queue.take()
  }

  /** Gives a copy of the part as it is so far. */
  getContentData(): AgentContent {
    return this.#draft.copy()
  }

  #replace(type: ContentType, fits: boolean, value: object): readonly AgentEvent[] {
    this.#draft.check(type, fits)
    this.#draft.replace(value)
    return this.#queue.take()
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
