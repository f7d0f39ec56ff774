import { findPii } from './find-pii.ts'
import type { PiiKind } from './pii-span.ts'
import type { TextMask } from './text-mask.ts'

/** Longer than anything that is looked for, but for e-mail addresses nobody has. */
const HELD_BACK = 160
/** What says that a number is a phone's stands at most so far before it. */
const CONTEXT = 48

/** Masks a text that comes in pieces: holds back what the next piece may still make personal. */
export class StreamMask {
  readonly #mask: TextMask
  readonly #kinds: readonly PiiKind[]
  /** The end of what was given out, and all that was not. */
  #text = ''
  /** Where in it that begins which was not. */
  #from = 0

  constructor(mask: TextMask, kinds: readonly PiiKind[]) {
    this.#mask = mask
    this.#kinds = kinds
  }

  add(delta: string): string {
    this.#text += delta
    // Looked at in steps, or each small delta would cost a search through all that is held.
    return this.#text.length - this.#from < 2 * HELD_BACK ? '' : this.#release(this.#safeEnd())
  }

  end(): string {
    return this.#release(this.#text.length)
  }

  /** A cut between words that goes through nothing personal. */
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
