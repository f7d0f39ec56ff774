import type { MiddlewareHandler } from 'hono'
import type { ServerEnv } from '../access/client.ts'
import { Problem } from '../problem/problem.ts'

export interface RateLimiterOptions {
  readonly perMinute: number
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** Rejects the requests of a client that sends too many, with 429 and the header `retry-after`. */
export function limitRate(options: RateLimiterOptions): MiddlewareHandler<ServerEnv> {
  const waitOf = createRateLimiter(options)
  return async function limitClientRate(context, next) {
    const waitMs = waitOf(context.get('client').name)
    if (waitMs > 0) {
      const headers = { 'retry-after': String(Math.ceil(waitMs / 1000)) }
      throw new Problem(429, 'RATE_LIMIT_EXCEEDED', { message: 'Too many requests.', headers })
    }
    await next()
  }
}

/** Returns the milliseconds until the next request of `name` is allowed. 0 allows this request and counts it. */
export type RateLimiter = (name: string) => number

/** A token bucket for each name: full at first, refilled evenly. */
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
