import type { TextMask } from './text-mask.ts'

/** Number of characters that are held back. All personal data is shorter, except unrealistic e-mail addresses. */
const HELD_BACK = 160
/** Characters before personal data in which a word or a column name can mark it. They can be escaped. */
const CONTEXT = 256

/** Masks a streamed text. Holds back the end of the text, which the next piece can turn into personal data. */
export class StreamMask {
  readonly #mask: TextMask
  /** The end of the released text as context, followed by the held-back text. */
  #text = ''
  /** Start of the held-back text in `#text`. */
  #from = 0

  constructor(mask: TextMask) {
    this.#mask = mask
  }

  /** Takes the next piece and returns the masked text that can be released. */
  add(delta: string): string {
    this.#text += delta
    // Searched in steps, because a search for each small delta would go through all held-back text every time.
    return this.#text.length - this.#from < 2 * HELD_BACK ? '' : this.#release(this.#text.length - HELD_BACK)
  }

  /** Returns the rest of the masked text. */
  end(): string {
    return this.#release(this.#text.length)
  }

  /** Releases the text up to `to`, or up to personal data that continues after `to`. */
  #release(to: number): string {
    // A character outside the Basic Multilingual Plane has two units, which stay together.
    const isHalf = /[\uDC00-\uDFFF]/.test(this.#text.charAt(to))
    const { text, end } = this.#mask.maskPart(this.#text, this.#from, isHalf ? to - 1 : to)
    const kept = Math.max(0, end - CONTEXT)
    this.#text = this.#text.slice(kept)
    this.#from = end - kept
    return text
  }
}
