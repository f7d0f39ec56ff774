import { GrowingText } from '@parley/core'
import { hasValue, wholeValue } from '../protocol/content-value.ts'
import { mergeData } from '../protocol/merge-data.ts'
import { sameValue } from '../protocol/same-value.ts'
import type { ContentType } from '../schema/agent-content.ts'
import type { JsonObject } from '../schema/json-object.ts'

/** What a part still has to send so that clients know its whole value. */
export type MissingValue =
  | { readonly type: 'nothing' }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'rest'; readonly sent: Readonly<Record<string, unknown>> }

/** The value of a content part, which grows with its deltas. */
export class PartValue {
  readonly #type: ContentType
  #value: Record<string, unknown> = {}
  /** The deltas of a text that `#value` does not have yet. */
  #text: GrowingText | undefined
  #hasDeltas = false

  constructor(type: ContentType) {
    this.#type = type
  }

  get current(): Record<string, unknown> {
    if (this.#text !== undefined)
      this.#value['text'] = ((this.#value['text'] as string | undefined) ?? '') + this.#text.value
    this.#text = undefined
    return this.#value
  }

  addText(text: string): void {
    this.#hasDeltas = true
    this.#text ??= new GrowingText()
    this.#text.add(text)
  }

  addData(piece: Readonly<JsonObject>): void {
    this.#hasDeltas = true
    this.#value['data'] = mergeData((this.#value['data'] as JsonObject | undefined) ?? null, piece)
  }

  replace(whole: Readonly<Record<string, unknown>>): void {
    this.fill(whole)
    this.#hasDeltas = false
  }

  /** Replaces the value that the deltas made by the whole value. */
  fill(whole: Readonly<Record<string, unknown>>): void {
    this.#value = { ...whole }
    this.#text = undefined
  }

  /** Returns what clients must still receive to know the `whole` value: the rest of a text, or any other value completely. */
  missing(whole: Readonly<Record<string, unknown>>): MissingValue {
    const { text } = whole
    // A long text is compared piece by piece: joining its deltas would copy it.
    if (this.#text !== undefined && this.#value['text'] === undefined && typeof text === 'string') {
      if (this.#text.begins(text)) return textOrNothing(text.slice(this.#text.length))
    }
    const sent = this.current
    // Clients replace data by its last snapshot. For other types they expect the end to have the same value.
    const isCompared = this.#type === 'data' ? this.#hasDeltas : hasValue(this.#type, sent)
    if (!isCompared || sameValue(whole, wholeValue(this.#type, sent))) return { type: 'nothing' }
    return { type: 'rest', sent }
  }
}

function textOrNothing(text: string): MissingValue {
  return text === '' ? { type: 'nothing' } : { type: 'text', text }
}
