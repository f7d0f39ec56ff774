/** Number of short pieces that are joined at once. */
const JOINED_PIECES = 1024
/** Length from which a piece stays a string of its own. Joining such a piece would only copy it. */
const LONG_PIECE = 128

/**
 * A text that grows by many pieces. V8 keeps a text made by `+=` as a tree that takes 56 bytes for a piece of a few characters,
 * until something reads its characters.
 */
export class GrowingText {
  /** Long pieces, and short pieces that were joined. */
  #chunks: string[] = []
  #pieces: string[] = []
  #pieceChars = 0
  #length = 0

  get length(): number {
    return this.#length
  }

  add(piece: string): void {
    this.#length += piece.length
    this.#pieceChars += piece.length
    // Most texts have few pieces, and V8 reserves 17 slots at the first push.
    if (this.#pieces.length === 0) this.#pieces = [piece]
    else this.#pieces.push(piece)
    if (this.#pieces.length === JOINED_PIECES) this.#fold()
  }

  /** The text so far. */
  get value(): string {
    if (this.#pieces.length > 0) this.#fold()
    if (this.#chunks.length > 1) this.#chunks = [this.#chunks.join('')]
    return this.#chunks[0] ?? ''
  }

  /** The characters from `from` to `to`. After a call of `value` the text is one string, so V8 slices it without a copy. */
  slice(from: number, to: number): string {
    const parts: string[] = []
    let at = 0
    for (const pieces of [this.#chunks, this.#pieces]) {
      for (const piece of pieces) {
        const end = at + piece.length
        if (end > from && at < to) parts.push(piece.slice(Math.max(0, from - at), to - at))
        at = end
      }
    }
    return parts.length === 1 ? (parts[0] as string) : parts.join('')
  }

  /** Whether `whole` begins with the text so far. */
  begins(whole: string): boolean {
    let at = 0
    for (const pieces of [this.#chunks, this.#pieces]) {
      for (const piece of pieces) {
        // V8 compares equal texts many characters at a time, but `startsWith` one by one.
        if (whole.slice(at, (at += piece.length)) !== piece) return false
      }
    }
    return true
  }

  #fold(): void {
    const isShort = this.#pieceChars < this.#pieces.length * LONG_PIECE
    this.#chunks = this.#chunks.concat(isShort ? [this.#pieces.join('')] : this.#pieces)
    this.#pieces = []
    this.#pieceChars = 0
  }
}
