import { TurnoverMap } from '@parley/core'

/** What an ended response keeps in memory. */
export interface KeptStream {
  readonly scope: string
  readonly chars: number
  /** Number of readers that have not received every event yet. */
  readonly readers: number
  /** Releases the memory. Readers are cut and told where to resume. */
  release(): void
}

export interface BudgetLimits {
  /** Characters of all kept streams. */
  readonly maxKeptChars: number
  /** Characters of the kept streams of one scope. */
  readonly maxKeptCharsPerScope: number
}

/**
 * Bounds what the ended responses of a server keep in memory, whichever API they belong to. Above a limit it releases the oldest
 * streams, first those without a reader.
 */
export class ReplayBudget {
  readonly #limits: BudgetLimits
  /** Streams that can be replayed, in the order in which they were added. */
  readonly #kept = new TurnoverMap<number, KeptStream>()
  #last = 0
  readonly #charsOf = new Map<string, number>()
  #chars = 0

  constructor(limits: BudgetLimits) {
    this.#limits = limits
  }

  /** Characters of all kept streams. */
  get chars(): number {
    return this.#chars
  }

  /**
   * Adds a stream. Streams that no longer fit are released, the new one too if it does not fit alone and has no reader.
   * @returns A function that forgets the stream, which was released elsewhere.
   */
  keep(stream: KeptStream): () => void {
    const number = ++this.#last
    this.#kept.set(number, stream)
    this.#count(stream, stream.chars)
    const { scope } = stream
    const { maxKeptChars, maxKeptCharsPerScope } = this.#limits
    this.#release(
      () => (this.#charsOf.get(scope) ?? 0) > maxKeptCharsPerScope,
      each => each.scope === scope,
    )
    this.#release(
      () => this.#chars > maxKeptChars,
      () => true,
    )
    return () => this.#drop(number)
  }

  #drop(number: number): void {
    const stream = this.#kept.get(number)
    if (stream === undefined) return
    this.#kept.delete(number)
    this.#count(stream, -stream.chars)
  }

  #release(isOver: () => boolean, concerns: (stream: KeptStream) => boolean): void {
    const newest = this.#last
    for (const mayHaveReaders of [false, true]) {
      for (const [number, stream] of this.#kept) {
        if (!isOver()) return
        if (!concerns(stream) || (stream.readers > 0 && (!mayHaveReaders || number === newest))) continue
        this.#drop(number)
        stream.release()
      }
    }
  }

  #count({ scope }: KeptStream, chars: number): void {
    this.#chars += chars
    const left = (this.#charsOf.get(scope) ?? 0) + chars
    if (left === 0) this.#charsOf.delete(scope)
    else this.#charsOf.set(scope, left)
  }
}
