import type { Clock } from '@parley/core'
import { TokenBucket } from './token-bucket.ts'

export interface QuotasOptions {
  readonly clock: Clock
  readonly requests: number | undefined
  readonly tokens: number | undefined
  readonly intervalMs: number
}

/** The reservation of one call. */
export interface Ticket {
  /** Milliseconds that the call must wait. */
  readonly delayMs: number
  /** Returns the reservation, because the call is not made. */
  cancel(): void
  /** Replaces the estimate with the tokens that the call used. */
  settle(tokens: number): void
}

interface Buckets {
  readonly requests: TokenBucket | undefined
  readonly tokens: TokenBucket | undefined
}

/** Number of keys at which keys with full buckets are removed. A new bucket is full as well, so nothing is lost. */
const SWEEP_AT = 1_000

/** The buckets of each key. */
export class Quotas {
  readonly #options: QuotasOptions
  readonly #byKey = new Map<string, Buckets>()
  #sweepAt = SWEEP_AT

  constructor(options: QuotasOptions) {
    this.#options = options
  }

  /** Reserves one request and the estimated tokens. */
  take(key: string, estimate: number): Ticket {
    const { requests, tokens } = this.#bucketsOf(key)
    const delayMs = Math.max(requests?.take(1) ?? 0, tokens?.take(estimate) ?? 0)
    return {
      delayMs,
      cancel: () => {
        requests?.give(1)
        tokens?.give(estimate)
      },
      settle: used => tokens?.give(estimate - used),
    }
  }

  #bucketsOf(key: string): Buckets {
    let buckets = this.#byKey.get(key)
    if (buckets === undefined) {
      this.#sweep()
      buckets = { requests: this.#bucket(this.#options.requests), tokens: this.#bucket(this.#options.tokens) }
      this.#byKey.set(key, buckets)
    }
    return buckets
  }

  #bucket(capacity: number | undefined): TokenBucket | undefined {
    const { clock, intervalMs } = this.#options
    return capacity === undefined ? undefined : new TokenBucket(clock, capacity, intervalMs)
  }

  #sweep(): void {
    if (this.#byKey.size < this.#sweepAt) return
    for (const [key, { requests, tokens }] of this.#byKey) {
      if ((requests?.full ?? true) && (tokens?.full ?? true)) this.#byKey.delete(key)
    }
    this.#sweepAt = Math.max(SWEEP_AT, 2 * this.#byKey.size)
  }
}
