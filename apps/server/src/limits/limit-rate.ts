import type { MiddlewareHandler } from 'hono'
import { createRateLimiter, type RateLimiterOptions } from './create-rate-limiter.ts'
import { Problem } from '../problem/problem.ts'
import type { ServerEnv } from '../access/server-env.ts'

/** Refuses callers who ask too often, and says when they may come again. */
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
