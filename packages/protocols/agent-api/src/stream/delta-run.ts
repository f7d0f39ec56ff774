/** Characters and deltas after which the next delta starts another run. */
const RUN_CHARS = 64 * 1024
const RUN_DELTAS = 4096
/** Length from which a delta stays a string of its own. Joining such a delta would only copy it. */
const LONG_DELTA = 128

/** What an event says about a text that the stream sends in pieces. */
export interface TextPiece {
  /** Id of the text, the same for all of its pieces. */
  readonly id: string
  readonly text: string
  /** Whether this is the whole text, of which the deltas were pieces. */
  readonly isWhole: boolean
}

/** Adjacent deltas of one text. Takes a few bytes a delta: an encoded delta is many times as long as its text. */
export class DeltaRun<TEvent> {
  readonly id: string
  /** The first delta without its text. The other deltas differ only in number and text. */
  readonly template: TEvent
  #texts: readonly string[] | undefined
  /** The texts of all deltas as one string. Used once `#texts` is `undefined`. */
  #joined = ''
  /** Index in `#joined` after the last character of each delta. */
  #ends: Uint32Array = new Uint32Array()
  #chars = 0
  #isComplete = false
  #isShared = false

  constructor(id: string, template: TEvent) {
    this.id = id
    this.template = template
  }

  /** Characters that are in memory only for this run. */
  get ownChars(): number {
    return this.#isShared ? 0 : this.#chars
  }

  accepts(id: string): boolean {
    const count = this.#texts?.length ?? 0
    return !this.#isComplete && this.id === id && this.#chars < RUN_CHARS && count < RUN_DELTAS
  }

  add(text: string): void {
    const texts = (this.#texts ??= []) as string[]
    texts.push(text)
    this.#chars += text.length
  }

  /** Returns the text of a delta, counted from 0. */
  at(index: number): string {
    if (this.#texts !== undefined) return this.#texts[index] as string
    return this.#joined.slice(this.#ends[index - 1] ?? 0, this.#ends[index])
  }

  /** Ends the run: no delta may follow. */
  complete(): void {
    this.#isComplete = true
    const texts = this.#texts ?? []
    if (this.#chars < texts.length * LONG_DELTA) this.#keepIn(texts.join(''))
  }

  /** Uses the whole text instead of a copy, if the deltas are in it at `from`. */
  share(whole: string, from: number): void {
    this.complete()
    let at = from
    for (const text of this.#texts ?? [this.#joined]) {
      // V8 compares equal texts many characters at a time, but `startsWith` one by one.
      if (whole.slice(at, (at += text.length)) !== text) return
    }
    // A slice refers to the whole text.
    this.#keepIn(whole.slice(from, at))
    this.#isShared = true
  }

  #keepIn(joined: string): void {
    this.#joined = joined
    if (this.#texts === undefined) return
    let end = 0
    this.#ends = Uint32Array.from(this.#texts, text => (end += text.length))
    this.#texts = undefined
  }
}
