import { PIECE_CHARS } from './json-pieces.ts'
import type { Frame } from './sse-frame.ts'

/** Joins small frames and splits large ones, so that a reader holds about `PIECE_CHARS` characters. */
export class FrameReader {
  /** The rest of a large frame that was taken in part. */
  #rest: Iterator<string, unknown> | undefined

  /** Whether the last piece ended within a frame. Text that follows then would damage the frame. */
  get isWithinFrame(): boolean {
    return this.#rest !== undefined
  }

  /** Releases the large frame that was taken in part. @returns whether there was one. Its stream must break off then. */
  drop(): boolean {
    const { isWithinFrame } = this
    this.#rest = undefined
    return isWithinFrame
  }

  /** @param take Returns the next frame, or `undefined` if there is none yet. @returns '' if there is no frame. */
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
