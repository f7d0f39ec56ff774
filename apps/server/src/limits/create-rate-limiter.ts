export interface RateLimiterOptions {
  readonly perMinute: number
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** Answers how many ms the holder of `name` has to wait; 0 lets the request through and counts it. */
export type RateLimiter = (name: string) => number

/** A bucket for each name: full at first, refilled evenly. */
export function createRateLimiter({ perMinute, now }: RateLimiterOptions): RateLimiter {
  const buckets = new Map<string, { tokens: number; at: number }>()
  const msPerToken = 60_000 / perMinute
  return name => {
    if (perMinute === Infinity) return 0
    const at = now()
    const bucket = buckets.get(name) ?? { tokens: perMinute, at }
    const tokens = Math.min(perMinute, bucket.tokens + (at - bucket.at) / msPerToken)
    const isFree = tokens >= 1
    buckets.set(name, { tokens: isFree ? tokens - 1 : tokens, at })
    return isFree ? 0 : Math.ceil((1 - tokens) * msPerToken)
  }
}
