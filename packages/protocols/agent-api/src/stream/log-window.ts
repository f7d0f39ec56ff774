import type { Frame } from '@parley/encoders/kit'
import { DeltaRun, type TextPiece } from './delta-run.ts'

/** Says which events a log can keep in less memory. */
export interface EventTraits<TEvent> {
  /** Reads the piece of text that an event sends. `undefined` for other events. */
  textOf(event: TEvent): TextPiece | undefined
  /** Returns a delta with another number and text. */
  withText(delta: TEvent, number: number, text: string): TEvent
  /** Whether the last event of the stream contains the content of this event, so that the event takes no memory of its own. */
  isRepeated(event: TEvent): boolean
}

export interface WindowOptions<TEvent> {
  readonly encode: (event: TEvent) => Frame
  /** Which events need less memory. @default none: every event is kept as it is */
  readonly traits: EventTraits<TEvent> | undefined
  readonly maxChars: number
}

interface Item<TEvent> {
  /** Number of the first event. */
  readonly first: number
  /** The event, unless it is a delta. */
  readonly frame?: Frame
  readonly run?: DeltaRun<TEvent>
  /** Characters that are in memory only for this item. */
  chars: number
}

interface RunItem<TEvent> extends Item<TEvent> {
  readonly run: DeltaRun<TEvent>
  /** Where the run begins in its text. */
  readonly from: number
}

/** A text that is not whole yet. */
interface OpenText<TEvent> {
  length: number
  /** The kept runs, oldest first. */
  readonly items: RunItem<TEvent>[]
}

interface Delta<TEvent> {
  readonly id: string
  readonly text: string
  /** Number of the event. */
  readonly first: number
  /** Returns the event without its text. */
  readonly template: () => TEvent
}

/** The events of a stream, by number. Drops the oldest ones above a limit, but none that a reader still needs. */
export class LogWindow<TEvent> {
  readonly #options: WindowOptions<TEvent>
  #items: Item<TEvent>[] = []
  readonly #texts = new Map<string, OpenText<TEvent>>()
  /** Index of the oldest kept item. */
  #head = 0
  #newest = -1
  #chars = 0

  constructor(options: WindowOptions<TEvent>) {
    this.#options = options
  }

  /** Number of the oldest kept event, or of the next one if none is kept. */
  get oldest(): number {
    return this.#items[this.#head]?.first ?? this.#newest + 1
  }

  /** Number of the newest event. -1 before the first. */
  get newest(): number {
    return this.#newest
  }

  /** Characters that are in memory only for this stream. */
  get chars(): number {
    return this.#chars
  }

  add(event: TEvent): void {
    const { encode, traits } = this.#options
    const first = ++this.#newest
    const piece = traits?.textOf(event)
    if (traits !== undefined && piece?.isWhole === false) {
      this.#addDelta({ id: piece.id, text: piece.text, first, template: () => traits.withText(event, first, '') })
      return
    }
    this.#items.at(-1)?.run?.complete()
    if (piece !== undefined) this.#share(piece)
    const frame = encode(event)
    const isFree = typeof frame !== 'string' && traits?.isRepeated(event) === true
    this.#push({ first, frame, chars: isFree ? 0 : frame.length })
  }

  /** Returns a frame. The number must be from `oldest` to `newest`. */
  frameAt(number: number): Frame {
    const { encode, traits } = this.#options
    const { first, frame, run } = this.#itemOf(number)
    if (run === undefined || traits === undefined) return frame as Frame
    return encode(traits.withText(run.template, number, run.at(number - first)))
  }

  /** Drops the oldest events above the limit. @param needed Number of the oldest event that a reader needs. */
  trim(needed: number): void {
    while (this.#chars > this.#options.maxChars && this.#head < this.#items.length - 1) {
      const next = this.#items[this.#head + 1] as Item<TEvent>
      if (next.first > needed) break
      this.#drop(this.#items[this.#head] as Item<TEvent>)
      // An item that is no longer needed must not stay reachable until the array shrinks.
      this.#items[this.#head++] = next
    }
    if (this.#head > 1024 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head)
      this.#head = 0
    }
  }

  /** Drops every event. */
  clear(): void {
    this.#items = []
    this.#head = 0
    this.#texts.clear()
    this.#chars = 0
  }

  #addDelta({ id, text, first, template }: Delta<TEvent>): void {
    const open = this.#texts.get(id) ?? { length: 0, items: [] }
    this.#texts.set(id, open)
    let item = this.#items.at(-1)
    if (item?.run?.accepts(id) !== true) {
      item?.run?.complete()
      const begun = { first, run: new DeltaRun(id, template()), from: open.length, chars: 0 }
      open.items.push(begun)
      this.#push(begun)
      item = begun
    }
    item.run?.add(text)
    open.length += text.length
  }

  /** Lets the runs of a text refer to the whole text. */
  #share({ id, text }: TextPiece): void {
    for (const item of this.#texts.get(id)?.items ?? []) {
      item.run.share(text, item.from)
      item.chars = item.run.ownChars
      this.#chars += item.chars
    }
    this.#texts.delete(id)
  }

  #drop({ run, chars }: Item<TEvent>): void {
    this.#chars -= chars
    if (run !== undefined) this.#texts.get(run.id)?.items.shift()
  }

  #push(item: Item<TEvent>): void {
    this.#items.push(item)
    this.#chars += item.chars
  }

  #itemOf(number: number): Item<TEvent> {
    let low = this.#head
    let high = this.#items.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((this.#items[middle] as Item<TEvent>).first <= number) low = middle
      else high = middle - 1
    }
    return this.#items[low] as Item<TEvent>
  }
}
