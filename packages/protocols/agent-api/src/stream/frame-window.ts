/** Characters of a piece, and one frame more: what a reader holds while it is slow. */
const PIECE_CHARS = 64 * 1024

/** The newest frames of a stream, by their numbers. */
export class FrameWindow {
  readonly #maxChars: number
  #frames: string[] = []
  /** The place in `#frames` of the oldest one kept, and its number. */
  #head = 0
  #oldest = 0
  #chars = 0

  /** Keeps `maxChars` characters, and always the newest frame. */
  constructor(maxChars: number) {
    this.#maxChars = maxChars
  }

  get oldest(): number {
    return this.#oldest
  }

  /** -1 before the first. */
  get newest(): number {
    return this.#oldest + this.#frames.length - this.#head - 1
  }

  add(frame: string): void {
    this.#frames.push(frame)
    this.#chars += frame.length
    while (this.#chars > this.#maxChars && this.#frames.length - this.#head > 1) {
      this.#chars -= (this.#frames[this.#head] as string).length
      this.#frames[this.#head++] = ''
      this.#oldest++
    }
    if (this.#head > 1024 && this.#head * 2 > this.#frames.length) {
      this.#frames = this.#frames.slice(this.#head)
      this.#head = 0
    }
  }

  /** The frames from number `from` on, as many as go into one piece, and the number after them. */
  pieceFrom(from: number): { readonly piece: string; readonly next: number } {
    const shift = this.#head - this.#oldest
    let piece = ''
    let at = from + shift
    while (at < this.#frames.length && piece.length < PIECE_CHARS) piece += this.#frames[at++] as string
    return { piece, next: at - shift }
  }
}
