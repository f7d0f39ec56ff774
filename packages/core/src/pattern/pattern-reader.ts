import { PatternFault } from './pattern-node.ts'

/** Reads the text of a pattern from left to right. */
export class PatternReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get done(): boolean {
    return this.#at >= this.#text.length
  }

  /** The next UTF-16 unit; empty at the end. */
  get next(): string {
    return this.#text[this.#at] ?? ''
  }

  /** Skips the character if it is the next one. */
  take(character: string): boolean {
    if (this.next !== character) return false
    this.#at++
    return true
  }

  /** Skips what a sticky expression matches here. */
  match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#text) ?? undefined
    if (found !== undefined) this.#at += found[0].length
    return found
  }

  /** Returns the next characters without skipping them. */
  rest(count: number): string {
    return this.#text.slice(this.#at, this.#at + count)
  }

  readCodePoint(): number {
    const found = this.#text.codePointAt(this.#at)
    if (found === undefined) throw new PatternFault('ends too early')
    this.#at += found > 0xff_ff ? 2 : 1
    return found
  }
}
