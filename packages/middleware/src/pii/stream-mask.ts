import { findPii } from './find-pii.ts'
import type { PiiKind } from './pii-span.ts'
import type { TextMask } from './text-mask.ts'

/** Characters that are held back. Longer than any personal data except unrealistic e-mail addresses. */
const HELD_BACK = 160
/** Characters of context before a number in which a word can mark it as a phone number. */
const CONTEXT = 48

/** Masks a streamed text. Holds back the end of the text, which the next piece can turn into personal data. */
export class StreamMask {
  readonly #mask: TextMask
  readonly #kinds: readonly PiiKind[]
  /** The end of the released text as context, followed by the held-back text. */
  #text = ''
  /** Start of the held-back text in `#text`. */
  #from = 0

  constructor(mask: TextMask, kinds: readonly PiiKind[]) {
    this.#mask = mask
    this.#kinds = kinds
  }

  /** Takes the next piece and returns the masked text that can be released. */
  add(delta: string): string {
    this.#text += delta
    // Searched in steps, because a search for each small delta would go through all held-back text every time.
    return this.#text.length - this.#from < 2 * HELD_BACK ? '' : this.#release(this.#safeEnd())
  }

  /** Returns the rest of the masked text. */
  end(): string {
    return this.#release(this.#text.length)
  }

  /** Returns a position between words that does not cut through personal data. */
  #safeEnd(): number {
    const cut = this.#text.slice(0, -HELD_BACK).search(/\s\S*$/) + 1
    const crossed = findPii(this.#text, this.#kinds).find(({ start, end }) => start < cut && end > cut)
    return Math.max(this.#from, crossed === undefined ? cut : crossed.start)
  }

  #release(end: number): string {
    const masked = this.#mask.mask(this.#text.slice(0, end), this.#from)
    const kept = Math.max(0, end - CONTEXT)
    this.#text = this.#text.slice(kept)
    this.#from = end - kept
    return masked
  }
}
