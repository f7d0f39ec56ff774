import { PIECE_CHARS } from './json-pieces.ts'
import type { Frame } from './encode-sse-frame.ts'

/** Joins small frames and splits large ones, so that a reader holds about `PIECE_CHARS` characters. */
export class FrameReader {
  /** The rest of a large frame whose beginning was returned. */
  #rest: Iterator<string, unknown> | undefined

  /** Whether the last piece ended within a frame. Other text after it would damage the frame. */
  get isWithinFrame(): boolean {
    return this.#rest !== undefined
  }

  /**
   * Drops the rest of a large frame whose beginning was returned.
   * @returns Whether there was such a frame. If so, end the stream at once: more text would damage the frame.
   */
  drop(): boolean {
    const { isWithinFrame } = this
    this.#rest = undefined
    return isWithinFrame
  }

  /**
   * Returns the next piece of the stream.
   * @param take Returns the next frame, or `undefined` if there is none yet.
   * @returns '' if there is no frame.
   */
  piece(take: () => Frame | undefined): string {
    let piece = ''
    while (piece.length < PIECE_CHARS) {
      if (this.#rest !== undefined) {
        const { value, done } = this.#rest.next()
        if (done === true) this.#rest = undefined
        else piece += value
        continue
      }
      const frame = take()
      if (frame === undefined) break
      if (typeof frame === 'string') piece += frame
      else this.#rest = frame[Symbol.iterator]()
    }
    return piece
  }
}
