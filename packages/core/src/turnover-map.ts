interface Slot<TValue> {
  value: TValue | undefined
}

/**
 * A map for values that come and go all the time, in the order in which their keys were added. Its keys should be small.
 *
 * When a `Map` of V8 is full, it gets a new table, and the old table keeps its entries and refers to the new one. Once V8 has moved an
 * old table out of the young generation, a collection of the young generation no longer frees what any later table contained: each
 * value is copied twice, and freed only by a collection of the whole heap. This map removes a value from all of its tables.
 * (bench: tricks turnover-map)
 */
export class TurnoverMap<TKey, TValue> {
  readonly #slots = new Map<TKey, Slot<TValue>>()

  get size(): number {
    return this.#slots.size
  }

  has(key: TKey): boolean {
    return this.#slots.has(key)
  }

  get(key: TKey): TValue | undefined {
    return this.#slots.get(key)?.value
  }

  /** Sets the value of a key. A key that exists keeps its place. */
  set(key: TKey, value: TValue): void {
    const slot = this.#slots.get(key)
    if (slot === undefined) this.#slots.set(key, { value })
    else slot.value = value
  }

  /** Returns whether the key existed. */
  delete(key: TKey): boolean {
    const slot = this.#slots.get(key)
    if (slot === undefined) return false
    slot.value = undefined
    return this.#slots.delete(key)
  }

  keys(): MapIterator<TKey> {
    return this.#slots.keys()
  }

  *values(): Generator<TValue, undefined> {
    for (const { value } of this.#slots.values()) yield value as TValue
  }

  *[Symbol.iterator](): Generator<readonly [TKey, TValue], undefined> {
    for (const [key, { value }] of this.#slots) yield [key, value as TValue]
  }
}
