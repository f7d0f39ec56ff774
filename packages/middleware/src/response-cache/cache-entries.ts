import { monotonicNow, type Clock, type ModelEvent } from '@parley/core'

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

/** Cached answers by key, up to a total size. Evicts the least recently used answer first. */
export class CacheEntries {
  readonly #options: CacheEntriesOptions
  /** The least recently used entry comes first. */
  readonly #entries = new Map<string, CacheEntry>()
  #bytes = 0

  constructor(options: CacheEntriesOptions) {
    this.#options = options
  }

  get(key: string): readonly ModelEvent[] | undefined {
    const found = this.#entries.get(key)
    if (found === undefined) return undefined
    this.#remove(key, found)
    if (found.until <= monotonicNow(this.#options.clock)) return undefined
    this.#add(key, found)
    return found.events
  }

  put(key: string, events: readonly ModelEvent[]): void {
    const { clock, ttlMs, maxBytes } = this.#options
    // A string may take two bytes for each character.
    const bytes = 2 * (key.length + JSON.stringify(events).length)
    if (bytes > maxBytes) return
    const old = this.#entries.get(key)
    if (old !== undefined) this.#remove(key, old)
    this.#add(key, { events, bytes, until: monotonicNow(clock) + ttlMs })
    for (const [oldest, kept] of this.#entries) {
      if (this.#bytes <= maxBytes) break
      this.#remove(oldest, kept)
    }
  }

  #add(key: string, kept: CacheEntry): void {
    this.#entries.set(key, kept)
    this.#bytes += kept.bytes
  }

  #remove(key: string, kept: CacheEntry): void {
    this.#entries.delete(key)
    this.#bytes -= kept.bytes
  }
}
