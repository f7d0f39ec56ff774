import { hasValue, wholeValue } from '../protocol/content-value.ts'
import type { EndStatus } from '../protocol/end-status.ts'
import type { AgentContent, ContentType } from '../schema/agent-content.ts'
import type { JsonObject } from '../schema/json-object.ts'
import { builderMisuse } from './builder-misuse.ts'
import type { EventQueue } from './event-queue.ts'
import { frozenCopy } from './frozen-copy.ts'
import { PartEvents } from './part-events.ts'
import { PartValue } from './part-value.ts'

/** The message of a part, as the part uses it. */
export interface ContentHost {
  readonly id: string
  readonly queue: EventQueue
  /** Called before the part's first event. @returns The part's index. */
  begin(part: ContentDraft, expectedIndex: number | undefined): number
  /** Called before the part is completed. @throws ParleyError `config-invalid` if the data is invalid. */
  check(data: Readonly<JsonObject>, index: number): void
}

/** One part of a message as it grows: its value so far and its end. Queues the events of both. */
export class ContentDraft {
  readonly type: ContentType
  readonly #host: ContentHost
  readonly #expectedIndex: number | undefined
  readonly #events: PartEvents
  readonly #value: PartValue
  #ended: AgentContent | undefined

  constructor(host: ContentHost, type: ContentType, expectedIndex: number | undefined) {
    this.type = type
    this.#host = host
    this.#expectedIndex = expectedIndex
    this.#events = new PartEvents(host.id, type, host.queue)
    this.#value = new PartValue(type)
  }

  /** The value so far. */
  get value(): Readonly<Record<string, unknown>> {
    return this.#value.current
  }

  /** The ended part. `undefined` before its end. */
  get ended(): AgentContent | undefined {
    return this.#ended
  }

  /**
   * Checks that a value may be added to the part.
   * @throws ParleyError `config-invalid` if the part has another type, `fits` is false, or the part has ended.
   */
  check(type: ContentType, fits: boolean): void {
    const { path } = this.#events
    if (this.type !== type) throw builderMisuse(path, `must be of type ${type}, not ${this.type}`)
    if (!fits) throw builderMisuse(path, `must be a valid value of type ${type}`)
    if (this.#ended !== undefined) throw builderMisuse(path, `has ended as ${this.#ended.status}; start another part`)
  }

  addText(text: string): void {
    const index = this.#begin()
    this.#value.addText(text)
    this.#events.sendText(text, index)
  }

  addData(delta: Readonly<JsonObject>): void {
    const piece = frozenCopy(delta)
    this.#begin()
    this.#value.addData(piece)
    this.#events.sendDelta({ data: piece })
  }

  replace(value: object): void {
    this.#begin()
    const whole = wholeValue(this.type, frozenCopy(value))
    this.#value.replace(whole)
    this.#events.sendValue(whole)
  }

  /**
   * Sends the difference between the deltas and the whole `value`: the rest of a text, or a snapshot of any other
   * value.
   */
  fill(value: object): void {
    const whole = frozenCopy(wholeValue(this.type, value))
    this.#begin()
    const missing = this.#value.missing(whole)
    if (missing.type === 'text') this.#events.sendDelta({ text: missing.text })
    else if (missing.type === 'rest') this.#events.sendRest(whole, missing.sent)
    this.#value.fill(whole)
  }

  complete(): void {
    const value = this.#value.current
    if (this.type === 'text') value['text'] ??= ''
    else if (!hasValue(this.type, value))
      throw builderMisuse(this.#events.path, `requires a value of type ${this.type} before it is completed`)
    const index = this.#begin()
    const { data } = value
    if (this.type === 'data') this.#host.check(data as JsonObject, index)
    this.#end('completed')
  }

  /** Ends the part if it has started. */
  end(status: EndStatus): void {
    if (this.#ended !== undefined || this.#events.index === undefined) return
    if (status === 'completed') this.complete()
    else this.#end(status)
  }

  /** Copies the part as it is so far. */
  copy(): AgentContent {
    const status = this.#events.index === undefined ? 'created' : 'in_progress'
    return this.#ended ?? this.#events.snapshot(status, frozenCopy(wholeValue(this.type, this.#value.current)))
  }

  #begin(): number {
    this.#events.index ??= this.#host.begin(this, this.#expectedIndex)
    return this.#events.index
  }

  #end(status: EndStatus): void {
    this.#ended = this.#events.snapshot(status, frozenCopy(wholeValue(this.type, this.#value.current)))
    this.#events.sendEnd(this.#ended)
  }
}
