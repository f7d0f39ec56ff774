import { builderMisuse } from './builder-misuse.ts'
import { hasValue, wholeValue, type ContentValue } from '../protocol/content-value.ts'
import type { EndStatus } from '../protocol/end-status.ts'
import { frozenCopy } from './frozen-copy.ts'
import { mergeData } from '../protocol/merge-data.ts'
import { sameValue } from '../protocol/same-value.ts'
import type { AgentContent, ContentType } from '../schema/agent-content.ts'
import type { AgentEvent } from '../schema/agent-event.ts'
import type { AgentStatus } from '../schema/event-fields.ts'
import type { JsonObject } from '../schema/json-object.ts'
import type { EventQueue } from './event-queue.ts'

/** The functions of a message that its parts use. */
export interface ContentHost {
  readonly id: string
  readonly queue: EventQueue
  /** Called before the part's first event. @returns The part's index. */
  begin(part: ContentBuilder, expectedIndex: number | undefined): number
  /** Called before the part is completed. @throws ParleyError `config-invalid` if the data is invalid. */
  check(data: Readonly<JsonObject>, index: number): void
}

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
  readonly #host: ContentHost
  readonly #expectedIndex: number | undefined
  #index: number | undefined
  #value: Record<string, unknown> = {}
  #deltas = false
  #ended: AgentContent | undefined

  /** @internal Use `MessageBuilder.createContentBuilder`. */
  constructor(host: ContentHost, type: ContentType, expectedIndex: number | undefined) {
    this.#host = host
    this.type = type
    this.#expectedIndex = expectedIndex
  }

  /** Adds text. Returns no event for empty text. */
  addTextDelta(text: string): readonly AgentEvent[] {
    this.#need('text', typeof text === 'string')
    if (text === '') return this.#host.queue.take()
    const index = this.#begin()
    this.#deltas = true
    const before = this.#value['text'] as string | undefined
    this.#value['text'] = before === undefined ? text : before + text
    const { id, queue } = this.#host
    queue.push({
      sequence_number: queue.number(),
      object: 'content',
      status: 'in_progress',
      error: null,
      type: 'text',
      index,
      delta: true,
      msg_id: id,
      text,
    })
    return queue.take()
  }

  /** Adds text, as `addTextDelta` does. */
  addDelta(text: string): readonly AgentEvent[] {
    return this.addTextDelta(text)
  }

  /** Merges a delta into the data, by the rules of `mergeData`. */
  addDataDelta(delta: Readonly<JsonObject>): readonly AgentEvent[] {
    this.#need('data', isObject(delta))
    const piece = frozenCopy(delta)
    this.#begin()
    this.#deltas = true
    this.#value['data'] = mergeData((this.#value['data'] as JsonObject | undefined) ?? null, piece)
    this.#send('in_progress', true, { data: piece })
    return this.#host.queue.take()
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
    return this.#replace('data', true, { data: { ...(this.#value['data'] as JsonObject | undefined), [key]: value } })
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
    if (this.#ended === undefined) this.#complete()
    return this.#host.queue.take()
  }

  /**
   * Ends the part with this whole value. If the deltas that were sent differ from it, the missing piece of a text, or
   * else a snapshot, is sent first.
   */
  completeWith(value: ContentValue): readonly AgentEvent[] {
    if (this.#ended !== undefined) return this.#host.queue.take()
    const whole = frozenCopy(wholeValue(this.type, value))
    this.#begin()
    // Clients replace data by its last snapshot. For other types they expect the end to have the same value.
    const compared = this.type === 'data' ? this.#deltas : hasValue(this.type, this.#value)
    if (compared && !sameValue(whole, wholeValue(this.type, this.#value))) this.#sendRest(whole)
    this.#value = whole
    this.#complete()
    return this.#host.queue.take()
  }

  /** Returns a copy of the part in its current state. */
  getContentData(): AgentContent {
    const status = this.#index === undefined ? 'created' : 'in_progress'
    return this.#ended ?? this.#snapshot(status, false, frozenCopy(wholeValue(this.type, this.#value)))
  }

  /** @internal The ended part. `undefined` before its end. */
  get ended(): AgentContent | undefined {
    return this.#ended
  }

  /** @internal Ends a part that has started, without taking the event from the queue. */
  end(status: EndStatus): void {
    if (this.#ended !== undefined || this.#index === undefined) return
    if (status === 'completed') this.#complete()
    else this.#end(status)
  }

  #sendRest(whole: Readonly<Record<string, unknown>>): void {
    const [text, sent] = [whole['text'], this.#value['text']]
    const grew = typeof text === 'string' && typeof sent === 'string' && text.startsWith(sent)
    if (grew) this.#send('in_progress', true, { text: text.slice(sent.length) })
    else this.#send('in_progress', false, whole)
  }

  #complete(): void {
    if (this.type === 'text') this.#value['text'] ??= ''
    else if (!hasValue(this.type, this.#value))
      throw builderMisuse(this.#path, `requires a value of type ${this.type} before it is completed`)
    const index = this.#begin()
    const { data } = this.#value
    if (this.type === 'data') this.#host.check(data as JsonObject, index)
    this.#end('completed')
  }

  #end(status: EndStatus): void {
    const content = this.#snapshot(status, false, frozenCopy(wholeValue(this.type, this.#value)))
    this.#ended = content
    this.#host.queue.send(content)
  }

  #replace(type: ContentType, fits: boolean, value: object): readonly AgentEvent[] {
    this.#need(type, fits)
    this.#begin()
    this.#value = wholeValue(type, frozenCopy(value))
    this.#deltas = false
    this.#send('in_progress', false, this.#value)
    return this.#host.queue.take()
  }

  #need(type: ContentType, fits: boolean): void {
    if (this.type !== type) throw builderMisuse(this.#path, `must be of type ${type}, not ${this.type}`)
    if (!fits) throw builderMisuse(this.#path, `must be a valid value of type ${type}`)
    if (this.#ended !== undefined)
      throw builderMisuse(this.#path, `has ended as ${this.#ended.status}; start another part`)
  }

  #begin(): number {
    this.#index ??= this.#host.begin(this, this.#expectedIndex)
    return this.#index
  }

  #send(status: AgentStatus, delta: boolean, value: object): void {
    this.#host.queue.send(this.#snapshot(status, delta, wholeValue(this.type, value)))
  }

  #snapshot(status: AgentStatus, delta: boolean, value: object): AgentContent {
    return Object.freeze({
      sequence_number: null,
      object: 'content',
      status,
      error: null,
      type: this.type,
      index: this.#index ?? null,
      delta,
      msg_id: this.#host.id,
      ...value,
    }) as AgentContent
  }

  get #path(): string {
    return `${this.#host.id}.content.${this.#index ?? 'next'}`
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
