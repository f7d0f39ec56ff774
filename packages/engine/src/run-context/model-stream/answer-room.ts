/** Characters from which an answer counts. Most answers are far shorter. */
const LARGE_CHARS = 1_000_000

/**
 * Bounds the memory of the large answers that a runtime receives at the same time. Above the bound, the answer that became large
 * first continues, and the other streams are not read until its run has stored it. So one answer always continues.
 */
export class AnswerRoom {
  readonly #maxChars: number
  /** Characters of the large answers that are not stored yet, in the order in which they became large. */
  readonly #charsOf = new Map<object, number>()
  #chars = 0
  #changed: PromiseWithResolvers<void> | undefined

  /** Creates the room. @param maxChars Characters of all large answers together. */
  constructor(maxChars = 16_000_000) {
    this.#maxChars = maxChars
  }

  /** Tells how long an answer is by now. @returns A promise to await before its stream is read on. `undefined` if it need not wait. */
  grow(answer: object, chars: number): Promise<void> | undefined {
    if (chars < LARGE_CHARS) return undefined
    this.#chars += chars - (this.#charsOf.get(answer) ?? 0)
    this.#charsOf.set(answer, chars)
    return this.#mustWait(answer) ? this.#wait(answer) : undefined
  }

  /** Forgets an answer, because it is stored or its run has stopped. */
  leave(answer: object): void {
    const chars = this.#charsOf.get(answer)
    if (chars === undefined) return
    this.#charsOf.delete(answer)
    this.#chars -= chars
    this.#changed?.resolve()
    this.#changed = undefined
  }

  /** Whether an answer counts. */
  has(answer: object): boolean {
    return this.#charsOf.has(answer)
  }

  #mustWait(answer: object): boolean {
    const [oldest] = this.#charsOf.keys()
    return this.#chars > this.#maxChars && this.#charsOf.has(answer) && oldest !== answer
  }

  async #wait(answer: object): Promise<void> {
    while (this.#mustWait(answer)) {
      this.#changed ??= Promise.withResolvers()
      await this.#changed.promise
    }
  }
}
