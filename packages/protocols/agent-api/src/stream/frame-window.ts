/** A piece ends with the frame that exceeds this number of characters: a slow reader holds one piece. */
const PIECE_CHARS = 64 * 1024

/** Keeps the newest frames of a stream, by number. */
export class FrameWindow {
  readonly #maxChars: number
  #frames: string[] = []
  /** Index in `#frames` of the oldest kept frame. */
  #head = 0
  #oldest = 0
  #chars = 0

  /** Keeps at most `maxChars` characters, but always the newest frame. */
  constructor(maxChars: number) {
    this.#maxChars = maxChars
  }

  get oldest(): number {
    return this.#oldest
  }

  /** Number of the newest frame. -1 before the first. */
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

  /** Joins frames from number `from` on into one piece. @returns The piece, and the number of the next frame. */
  pieceFrom(from: number): { readonly piece: string; readonly next: number } {
    const shift = this.#head - this.#oldest
    let piece = ''
    let at = from + shift
    while (at < this.#frames.length && piece.length < PIECE_CHARS) piece += this.#frames[at++] as string
    return { piece, next: at - shift }
  }
}
