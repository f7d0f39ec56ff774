export { createRateLimit, type RateLimitOptions, type RateLimitWait } from './create-rate-limit.ts'
