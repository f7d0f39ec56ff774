/** A map that creates missing entries and keeps at most `max` of them, the most recently used. */
export class RecentMap<TValue> {
  readonly #max: number
  readonly #make: (key: string) => TValue
  readonly #entries = new Map<string, TValue>()

  constructor(max: number, make: (key: string) => TValue) {
    this.#max = max
    this.#make = make
  }

  get(key: string): TValue {
    const value = this.#entries.get(key) ?? this.#make(key)
    this.#entries.delete(key)
    this.#entries.set(key, value)
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#max) break
      this.#entries.delete(oldest)
    }
    return value
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }
}
