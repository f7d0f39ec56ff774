import type { Clock, ModelEvent } from '@parley/core'

export interface CacheEntriesOptions {
  readonly clock: Clock
  readonly ttlMs: number
  readonly maxBytes: number
}

interface CacheEntry {
  readonly events: readonly ModelEvent[]
  readonly bytes: number
  readonly until: number
}

/** Answers by key, up to a size; the one that was not asked for longest goes first. */
export class CacheEntries {
  readonly #options: CacheEntriesOptions
  /** In the order they were asked for last. */
  readonly #kept = new Map<string, CacheEntry>()
  #bytes = 0

  constructor(options: CacheEntriesOptions) {
    this.#options = options
  }

  get(key: string): readonly ModelEvent[] | undefined {
    const found = this.#kept.get(key)
    if (found === undefined) return undefined
    this.#remove(key, found)
    if (found.until <= this.#options.clock.now()) return undefined
    this.#add(key, found)
    return found.events
  }

  put(key: string, events: readonly ModelEvent[]): void {
    const { clock, ttlMs, maxBytes } = this.#options
    // Two bytes for each character, which is what a string may take.
    const bytes = 2 * (key.length + JSON.stringify(events).length)
    if (bytes > maxBytes) return
    const old = this.#kept.get(key)
    if (old !== undefined) this.#remove(key, old)
    this.#add(key, { events, bytes, until: clock.now() + ttlMs })
    for (const [oldest, kept] of this.#kept) {
      if (this.#bytes <= maxBytes) break
      this.#remove(oldest, kept)
    }
  }

  #add(key: string, kept: CacheEntry): void {
    this.#kept.set(key, kept)
    this.#bytes += kept.bytes
  }

  #remove(key: string, kept: CacheEntry): void {
    this.#kept.delete(key)
    this.#bytes -= kept.bytes
  }
}
